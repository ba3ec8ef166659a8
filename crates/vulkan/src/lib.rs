//! Runs SPIR-V modules on a Vulkan device: words, an entry point and a plain list of
//! buffers in, the buffers as the device left them out.
//!
//! This room knows no AMD code, no translator and no case file. It is the only room with
//! `unsafe`; each block says why it is sound.
//!
//! - [`devices`] lists what the Vulkan loader offers, [`Device::open`] takes one of them. Opening
//!   runs a probe that must change memory and that measures the subgroup size; a device that
//!   executes nothing, or whose subgroup size is not what it says, is refused.
//! - [`Device::run`] takes a [`Job`] and gives a [`Report`]. A grid larger than the device's limit
//!   is cut into dispatches whose base the shader reads from its push constants.
//! - [`Device::measure_floats`] tells what the device does with floats.
//! - [`listing::Compiler`] is a driver's compiler: what it makes of a shader, as text, and how long that takes.
//! - [`Device::draw`] renders a [`draw::Draw`] offscreen and reads its targets back.
//! - [`child::run_in_child`] runs a command with a time limit, so that a hanging driver ends one
//!   child process and not the program that drives it.
//!
//! ```no_run
//! use spirdna_vulkan::{Buffer, BufferKind, Device, DeviceChoice, Job, Options};
//!
//! # fn main() -> Result<(), spirdna_vulkan::VulkanError> {
//! # let words: Vec<u32> = Vec::new();
//! let mut device = Device::open(DeviceChoice::Default, Options::default())?;
//! let mut data = vec![0u8; 256];
//! let mut job = Job::new(&words, "main", [1, 1, 1]);
//! job.buffers.push(Buffer::storage(0, 0, &mut data));
//! let report = device.run(&mut job)?;
//! # let _ = report;
//! # Ok(())
//! # }
//! ```
#![allow(unsafe_code)]

pub mod child;
mod context;
mod device;
pub mod draw;
mod draw_objects;
mod error;
mod features;
mod images;
mod info;
mod job;
pub mod listing;
mod measure;
mod memory;
mod module;
mod plan;
mod probe;
mod render;
mod run;

pub use device::{Device, DeviceChoice, Options, devices};
pub use error::{JobError, ModuleError, ProbeFault, VulkanError};
pub use features::Features;
pub use info::{DeviceInfo, DeviceType, Limits, SubgroupOps};
pub use job::{AddressPatch, Buffer, BufferKind, Job, PatchTarget, Report};
pub use measure::{MeasuredFloat, MeasuredFloats};
