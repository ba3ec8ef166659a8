//! The text of a library seed's case file. It knows no kernel.

use std::fmt::Write;

use super::LibrarySeed;

/// The whole case file.
pub fn text(seed: &LibrarySeed) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_case(&mut out, seed);
    out
}

fn write_case(out: &mut String, seed: &LibrarySeed) -> std::fmt::Result {
    writeln!(out, "# Written by `cargo xtask library-seeds`.")?;
    writeln!(out, "# {}", seed.about)?;
    writeln!(out, "[shader]\nelf = \"{}.w32.co\"\n", seed.name)?;
    writeln!(out, "[launch]")?;
    writeln!(out, "groups = [{}, 1, 1]", seed.groups)?;
    writeln!(out, "local = [{}, 1, 1]", seed.local)?;
    writeln!(out, "kernarg = [{}]", seed.arguments.join(", "))?;
    for region in &seed.regions {
        writeln!(out, "\n[[memory]]\nname = \"{}\"", region.name)?;
        list(out, &region.before)?;
    }
    for region in &seed.regions {
        writeln!(out, "\n[[expect]]\nmemory = \"{}\"", region.name)?;
        list(out, region.after.as_ref().unwrap_or(&region.before))?;
    }
    Ok(())
}

fn list(out: &mut String, words: &[u32]) -> std::fmt::Result {
    writeln!(out, "u32 = [")?;
    for row in words.chunks(8) {
        let row: Vec<String> = row.iter().map(|w| format!("{w:#010x}")).collect();
        writeln!(out, "    {},", row.join(", "))?;
    }
    writeln!(out, "]")
}
