//! Reads from SPIR-V words the few facts that the harness must know before it hands them to a
//! driver: entry points, workgroup size, capabilities, bindings. Knows no Vulkan and validates
//! nothing beyond what it reads.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use crate::error::ModuleError;
use crate::job::BufferKind;

/// Facts of a module, for one of its entry points.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// Major and minor version.
    pub(crate) version: (u8, u8),
    /// Numbers of the declared capabilities.
    pub(crate) capabilities: BTreeSet<u32>,
    /// Numbers of the entry point's execution modes.
    pub(crate) modes: BTreeSet<u32>,
    /// Float modes of the entry point: number of the execution mode, width in bits.
    pub(crate) float_modes: BTreeSet<(u32, u32)>,
    /// Invocations in a workgroup, where literals or constants say so.
    pub(crate) local_size: Option<[u32; 3]>,
    /// The buffers that the module declares, by set and binding.
    pub(crate) bindings: BTreeMap<(u32, u32), BufferKind>,
}

/// The execution modes that choose how floats of a width behave.
const FLOAT_MODES: [ExecutionMode; 5] = [
    ExecutionMode::DenormPreserve,
    ExecutionMode::DenormFlushToZero,
    ExecutionMode::SignedZeroInfNanPreserve,
    ExecutionMode::RoundingModeRTE,
    ExecutionMode::RoundingModeRTZ,
];

#[derive(Default)]
struct Ids {
    /// Number of the execution model that is looked for.
    model: u32,
    set: HashMap<u32, u32>,
    binding: HashMap<u32, u32>,
    buffer_block: BTreeSet<u32>,
    workgroup_size: Option<u32>,
    /// Pointer type to its pointee.
    pointer: HashMap<u32, u32>,
    structs: BTreeSet<u32>,
    /// 32-bit constants, specialisable ones by their default.
    constant: HashMap<u32, u32>,
    composite: HashMap<u32, Vec<u32>>,
    /// Variable id, its type, its storage class.
    variables: Vec<(u32, u32, u32)>,
    /// Function id, name.
    entries: Vec<(u32, String)>,
    /// Function id, execution mode.
    modes: Vec<(u32, u32)>,
    /// Function id, execution mode, its first operand: modes that choose by float width.
    float_modes: Vec<(u32, u32, u32)>,
    /// Function id, the operands of its mode, whether these are ids.
    local_sizes: Vec<(u32, Vec<u32>, bool)>,
}

impl Module {
    /// Reads `words` for the compute entry point `entry`.
    pub(crate) fn parse(words: &[u32], entry: &str) -> Result<Self, ModuleError> {
        Self::parse_for(words, entry, ExecutionModel::GLCompute)
    }

    /// Reads `words` for the entry point `entry` of a stage.
    pub(crate) fn parse_for(
        words: &[u32],
        entry: &str,
        model: ExecutionModel,
    ) -> Result<Self, ModuleError> {
        let [magic, version, _generator, _bound, _schema, body @ ..] = words else {
            return Err(ModuleError::Header { words: words.len() });
        };
        if *magic != spirv::MAGIC_NUMBER {
            return Err(ModuleError::Magic { found: *magic });
        }
        let [_, major, minor, _] = version.to_be_bytes();
        let mut ids = Ids {
            model: model as u32,
            ..Ids::default()
        };
        let mut capabilities = BTreeSet::new();
        let mut at = words.len() - body.len();
        let mut rest = body;
        while let Some(&first) = rest.first() {
            let length = (first >> 16) as usize;
            let (Some(instruction), Some(tail)) = (rest.get(1..length), rest.get(length..)) else {
                return Err(ModuleError::Instruction { word: at });
            };
            if let Some(op) = Op::from_u32(first & 0xffff) {
                if op == Op::Capability {
                    capabilities.extend(instruction.first());
                } else {
                    ids.read(op, instruction)
                        .ok_or(ModuleError::Instruction { word: at })?;
                }
            }
            at += length;
            rest = tail;
        }
        let Some((function, _)) = ids.entries.iter().find(|(_, name)| name == entry) else {
            return Err(ModuleError::EntryPoint {
                wanted: entry.to_owned(),
                have: ids.entries.into_iter().map(|(_, name)| name).collect(),
            });
        };
        Ok(Self {
            version: (major, minor),
            capabilities,
            modes: ids
                .modes
                .iter()
                .filter(|(f, _)| f == function)
                .map(|&(_, mode)| mode)
                .collect(),
            float_modes: ids
                .float_modes
                .iter()
                .filter(|(f, ..)| f == function)
                .map(|&(_, mode, width)| (mode, width))
                .collect(),
            local_size: ids.local_size(*function),
            bindings: ids.bindings()?,
        })
    }
}

impl Ids {
    /// Takes what matters from one instruction; `None` where operands are missing.
    fn read(&mut self, op: Op, operands: &[u32]) -> Option<()> {
        let word = |i: usize| operands.get(i).copied();
        match op {
            Op::EntryPoint if word(0)? == self.model => {
                self.entries.push((word(1)?, name(operands.get(2..)?)));
            }
            Op::ExecutionMode | Op::ExecutionModeId => {
                self.modes.push((word(0)?, word(1)?));
                let by_id = op == Op::ExecutionModeId;
                let mode = if by_id {
                    ExecutionMode::LocalSizeId
                } else {
                    ExecutionMode::LocalSize
                };
                if word(1)? == mode as u32 {
                    let sizes = operands.get(2..5)?.to_vec();
                    self.local_sizes.push((word(0)?, sizes, by_id));
                }
                if FLOAT_MODES.iter().any(|&m| word(1) == Some(m as u32)) {
                    self.float_modes.push((word(0)?, word(1)?, word(2)?));
                }
            }
            Op::Decorate => {
                let (target, decoration) = (word(0)?, word(1)?);
                if decoration == Decoration::DescriptorSet as u32 {
                    self.set.insert(target, word(2)?);
                } else if decoration == Decoration::Binding as u32 {
                    self.binding.insert(target, word(2)?);
                } else if decoration == Decoration::BufferBlock as u32 {
                    self.buffer_block.insert(target);
                } else if decoration == Decoration::BuiltIn as u32
                    && word(2)? == spirv::BuiltIn::WorkgroupSize as u32
                {
                    self.workgroup_size = Some(target);
                }
            }
            Op::TypePointer => {
                self.pointer.insert(word(0)?, word(2)?);
            }
            Op::TypeStruct => {
                self.structs.insert(word(0)?);
            }
            Op::Constant | Op::SpecConstant => {
                self.constant.insert(word(1)?, word(2)?);
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                self.composite.insert(word(1)?, operands.get(2..)?.to_vec());
            }
            Op::Variable => {
                self.variables.push((word(1)?, word(0)?, word(2)?));
            }
            _ => {}
        }
        Some(())
    }

    fn local_size(&self, function: u32) -> Option<[u32; 3]> {
        let by_ids = |ids: &[u32]| -> Option<[u32; 3]> {
            let values: Option<Vec<u32>> = ids
                .iter()
                .map(|id| self.constant.get(id).copied())
                .collect();
            values?.try_into().ok()
        };
        // The built-in constant takes precedence over the execution mode.
        if let Some(id) = self.workgroup_size {
            return by_ids(self.composite.get(&id)?);
        }
        let (_, sizes, are_ids) = self.local_sizes.iter().find(|(f, ..)| *f == function)?;
        if *are_ids {
            by_ids(sizes)
        } else {
            sizes.clone().try_into().ok()
        }
    }

    fn bindings(&self) -> Result<BTreeMap<(u32, u32), BufferKind>, ModuleError> {
        let mut bindings = BTreeMap::new();
        for (id, pointer, class) in &self.variables {
            let (Some(&set), Some(&binding)) = (self.set.get(id), self.binding.get(id)) else {
                continue;
            };
            let pointee = self
                .pointer
                .get(pointer)
                .filter(|pointee| self.structs.contains(pointee));
            let kind = match (StorageClass::from_u32(*class), pointee) {
                (Some(StorageClass::StorageBuffer), Some(_)) => BufferKind::Storage,
                (Some(StorageClass::Uniform), Some(block)) => {
                    if self.buffer_block.contains(block) {
                        BufferKind::Storage
                    } else {
                        BufferKind::Uniform
                    }
                }
                // Images and samplers of a draw: the draw's textures say what is bound.
                (Some(StorageClass::UniformConstant), _)
                    if self.model != ExecutionModel::GLCompute as u32 =>
                {
                    continue;
                }
                _ => return Err(ModuleError::Resource { set, binding }),
            };
            bindings.insert((set, binding), kind);
        }
        Ok(bindings)
    }
}

/// A literal string: bytes in little-endian order, up to the first zero byte.
fn name(words: &[u32]) -> String {
    let bytes: Vec<u8> = words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .take_while(|&byte| byte != 0)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Name of a capability, or its number where it has none here.
pub(crate) fn capability_name(number: u32) -> String {
    Capability::from_u32(number).map_or_else(
        || format!("SPIR-V capability {number}"),
        |capability| format!("SPIR-V capability {capability:?}"),
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    fn op(op: Op, operands: &[u32]) -> Vec<u32> {
        let length = u32::try_from(operands.len() + 1).unwrap();
        let mut words = vec![length << 16 | op as u32];
        words.extend_from_slice(operands);
        words
    }

    fn module(instructions: &[Vec<u32>]) -> Vec<u32> {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0300, 0, 100, 0];
        words.extend(instructions.iter().flatten());
        words
    }

    fn entry() -> Vec<u32> {
        op(
            Op::EntryPoint,
            &[
                ExecutionModel::GLCompute as u32,
                1,
                u32::from_le_bytes(*b"main"),
                0,
            ],
        )
    }

    #[test]
    fn entry_local_size_and_capabilities_are_read() {
        let words = module(&[
            op(Op::Capability, &[Capability::Shader as u32]),
            entry(),
            op(
                Op::ExecutionMode,
                &[1, ExecutionMode::LocalSize as u32, 8, 4, 2],
            ),
        ]);
        let module = Module::parse(&words, "main").unwrap();
        assert_eq!(module.version, (1, 3));
        assert_eq!(module.local_size, Some([8, 4, 2]));
        assert!(module.capabilities.contains(&(Capability::Shader as u32)));
        assert_eq!(
            Module::parse(&words, "other"),
            Err(ModuleError::EntryPoint {
                wanted: "other".to_owned(),
                have: vec!["main".to_owned()],
            })
        );
    }

    #[test]
    fn sizes_by_constants_and_the_built_in_are_read() {
        let by_id = [
            entry(),
            op(
                Op::ExecutionModeId,
                &[1, ExecutionMode::LocalSizeId as u32, 20, 21, 21],
            ),
            op(Op::Constant, &[10, 20, 64]),
            op(Op::Constant, &[10, 21, 1]),
        ];
        let parsed = Module::parse(&module(&by_id), "main").unwrap();
        assert_eq!(parsed.local_size, Some([64, 1, 1]));
        let mut built_in = by_id.to_vec();
        built_in.push(op(
            Op::Decorate,
            &[
                30,
                Decoration::BuiltIn as u32,
                spirv::BuiltIn::WorkgroupSize as u32,
            ],
        ));
        built_in.push(op(Op::ConstantComposite, &[11, 30, 21, 20, 21]));
        let parsed = Module::parse(&module(&built_in), "main").unwrap();
        assert_eq!(parsed.local_size, Some([1, 64, 1]));
    }

    #[test]
    fn buffers_are_told_apart_and_images_refused() {
        let decorate = |id: u32, binding: u32| {
            [
                op(Op::Decorate, &[id, Decoration::DescriptorSet as u32, 2]),
                op(Op::Decorate, &[id, Decoration::Binding as u32, binding]),
            ]
            .concat()
        };
        let mut parts = vec![entry()];
        for binding in 0..3 {
            parts.push(decorate(50 + binding, binding));
        }
        parts.push(op(Op::Decorate, &[41, Decoration::BufferBlock as u32]));
        parts.push(op(Op::TypeStruct, &[40, 5]));
        parts.push(op(Op::TypeStruct, &[41, 5]));
        let class = |class: StorageClass| class as u32;
        parts.push(op(
            Op::TypePointer,
            &[60, class(StorageClass::StorageBuffer), 40],
        ));
        parts.push(op(Op::TypePointer, &[61, class(StorageClass::Uniform), 40]));
        parts.push(op(Op::TypePointer, &[62, class(StorageClass::Uniform), 41]));
        parts.push(op(
            Op::Variable,
            &[60, 50, class(StorageClass::StorageBuffer)],
        ));
        parts.push(op(Op::Variable, &[61, 51, class(StorageClass::Uniform)]));
        parts.push(op(Op::Variable, &[62, 52, class(StorageClass::Uniform)]));
        let parsed = Module::parse(&module(&parts), "main").unwrap();
        assert_eq!(
            parsed.bindings.into_iter().collect::<Vec<_>>(),
            [
                ((2, 0), BufferKind::Storage),
                ((2, 1), BufferKind::Uniform),
                ((2, 2), BufferKind::Storage)
            ]
        );
        parts.push(decorate(53, 9));
        parts.push(op(
            Op::Variable,
            &[63, 53, class(StorageClass::UniformConstant)],
        ));
        assert_eq!(
            Module::parse(&module(&parts), "main"),
            Err(ModuleError::Resource { set: 2, binding: 9 })
        );
    }

    #[test]
    fn float_modes_belong_to_their_entry_point() {
        let mode = |function: u32, mode: ExecutionMode, width: u32| {
            op(Op::ExecutionMode, &[function, mode as u32, width])
        };
        let words = module(&[
            entry(),
            mode(1, ExecutionMode::DenormPreserve, 16),
            mode(2, ExecutionMode::RoundingModeRTZ, 32),
        ]);
        let parsed = Module::parse(&words, "main").unwrap();
        let denorm = ExecutionMode::DenormPreserve as u32;
        assert_eq!(parsed.float_modes, BTreeSet::from([(denorm, 16)]));
        assert_eq!(parsed.modes, BTreeSet::from([denorm]));
    }

    proptest::proptest! {
        /// Nothing that a caller may pass as words ends in a panic.
        #[test]
        fn any_words_are_read_or_refused(
            pieces in proptest::collection::vec(
                (0u32..6, 0u32..90, proptest::collection::vec(0u32..9, 0..6)),
                0..40,
            )
        ) {
            let words: Vec<Vec<u32>> = pieces
                .into_iter()
                .map(|(extra, op, mut operands)| {
                    // Lengths that are right, too long and too short, all of them often.
                    let length = u32::try_from(operands.len()).unwrap() + extra.min(1);
                    operands.insert(0, length << 16 | op);
                    operands
                })
                .collect();
            let _ = Module::parse(&module(&words), "main");
            let mut with_entry = vec![entry()];
            with_entry.extend(words);
            let _ = Module::parse(&module(&with_entry), "main");
        }
    }

    #[test]
    fn broken_words_are_errors() {
        assert_eq!(
            Module::parse(&[], "main"),
            Err(ModuleError::Header { words: 0 })
        );
        assert_eq!(
            Module::parse(&[1, 2, 3, 4, 5], "main"),
            Err(ModuleError::Magic { found: 1 })
        );
        for bad in [0, 3 << 16, 1 << 16 | Op::Decorate as u32] {
            assert_eq!(
                Module::parse(&module(&[vec![bad]]), "main"),
                Err(ModuleError::Instruction { word: 5 }),
                "{bad:#x}"
            );
        }
    }
}
