//! Synchronisation: between the lanes of a wave (subgroup barriers, only where a wave is more than one
//! invocation) and between the waves of a workgroup. Memory model GLSL450.

use spirv::{MemorySemantics, Op, Scope};

use super::code::Open;
use super::context::Cx;

impl Cx<'_> {
    fn control_barrier(&mut self, b: &mut Open, scope: Scope) {
        let mut semantics = MemorySemantics::ACQUIRE_RELEASE;
        if self.needs.lds && !self.needs.lds_buffer {
            semantics |= MemorySemantics::WORKGROUP_MEMORY;
        }
        if self.needs.reads || self.needs.writes || self.needs.lds_buffer {
            semantics |= MemorySemantics::UNIFORM_MEMORY;
        }
        if semantics == MemorySemantics::ACQUIRE_RELEASE {
            semantics = MemorySemantics::empty();
        }
        let scope = self.m.const_u32(scope as u32);
        let semantics = self.m.const_u32(semantics.bits());
        self.m
            .effect(b, Op::ControlBarrier, &[scope, scope, semantics]);
    }

    /// Later accesses of the wave's lanes see what its lanes wrote before.
    pub fn wave_sync(&mut self, b: &mut Open) {
        if !self.geo.alone() && (self.needs.lds || (self.needs.reads && self.needs.writes)) {
            self.m.need(spirv::Capability::GroupNonUniform);
            self.control_barrier(b, Scope::Subgroup);
        }
    }

    /// All waves of the workgroup meet.
    pub fn barrier(&mut self, b: &mut Open) {
        if self.geo.waves * self.geo.subgroup > 1 {
            self.control_barrier(b, Scope::Workgroup);
        }
    }
}
