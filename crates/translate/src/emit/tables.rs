//! Constant tables of the IR: each a variable that its words initialise, declared where it is first read, with
//! one word of 0 behind them. Knows nothing of guest memory.

use spirv::StorageClass;

use super::code::Open;
use super::context::Cx;
use super::error::{EmitError, Fail};
use super::module::Id;

impl Cx<'_> {
    /// Word `index` of a table.
    pub fn table(&mut self, b: &mut Open, number: u32, index: Id) -> Result<Id, Fail> {
        let variable = match self.tables.get(&number) {
            Some(&variable) => variable,
            None => {
                let variable = self.declare_table(number)?;
                self.tables.insert(number, variable);
                variable
            }
        };
        let word = self.m.u32();
        let pointer = self
            .m
            .access(b, StorageClass::Private, word, variable, &[index]);
        Ok(self.m.load(b, word, pointer))
    }

    fn declare_table(&mut self, number: u32) -> Result<Id, Fail> {
        let table = self.ir.func.tables().get(number as usize);
        let table = table.ok_or(EmitError::Malformed("a table that does not exist"))?;
        let words: Vec<Id> = table
            .iter()
            .chain(&[0])
            .map(|&word| self.m.const_u32(word))
            .collect();
        let word = self.m.u32();
        let array = self.m.array(word, words.len() as u32);
        let content = self.m.const_vector(array, &words);
        let variable = self
            .m
            .initialised(StorageClass::Private, array, Some(content));
        self.m.name(variable, "table");
        Ok(variable)
    }
}
