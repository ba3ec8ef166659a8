//! One Vulkan buffer or image with its memory. Knows no job.

use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme, Allocator};

use crate::error::{VulkanError, failed};

/// Addresses that a shader computes with keep the low bits of guest addresses if regions start at
/// a multiple of this.
const ADDRESS_ALIGNMENT: u64 = 256;

/// A buffer bound to its memory. It must be given to [`GpuBuffer::destroy`].
#[derive(Debug)]
pub(crate) struct GpuBuffer {
    pub(crate) handle: vk::Buffer,
    /// Size in bytes, a multiple of four and not zero.
    pub(crate) size: u64,
    allocation: Option<Allocation>,
}

impl GpuBuffer {
    /// Makes a buffer of at least `bytes` bytes.
    pub(crate) fn new(
        device: &ash::Device,
        allocator: &mut Allocator,
        bytes: usize,
        usage: vk::BufferUsageFlags,
        location: MemoryLocation,
    ) -> Result<Self, VulkanError> {
        let size = (bytes as u64).next_multiple_of(4).max(4);
        let info = vk::BufferCreateInfo::default()
            .size(size)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the device is alive and the description is whole; usage with device addresses
        // is only asked for where the feature is on (checked by the plan).
        let handle =
            unsafe { device.create_buffer(&info, None) }.map_err(failed("vkCreateBuffer"))?;
        let mut buffer = Self {
            handle,
            size,
            allocation: None,
        };
        match buffer.bind(device, allocator, usage, location) {
            Ok(()) => Ok(buffer),
            Err(error) => {
                buffer.destroy(device, allocator);
                Err(error)
            }
        }
    }

    fn bind(
        &mut self,
        device: &ash::Device,
        allocator: &mut Allocator,
        usage: vk::BufferUsageFlags,
        location: MemoryLocation,
    ) -> Result<(), VulkanError> {
        // SAFETY: the buffer is of this device.
        let mut requirements = unsafe { device.get_buffer_memory_requirements(self.handle) };
        if usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS) {
            requirements.alignment = requirements.alignment.max(ADDRESS_ALIGNMENT);
        }
        let allocation = allocator.allocate(&AllocationCreateDesc {
            name: "job",
            requirements,
            location,
            linear: true,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: the memory belongs to this device and is only freed after the buffer; it
        // satisfies the buffer's requirements, and no other buffer is bound to this part.
        let bound = unsafe {
            device.bind_buffer_memory(self.handle, allocation.memory(), allocation.offset())
        };
        self.allocation = Some(allocation);
        bound.map_err(failed("vkBindBufferMemory"))
    }

    /// The bytes, where the host sees them. Nobody but the host may use the buffer meanwhile.
    pub(crate) fn mapped(&mut self) -> Result<&mut [u8], VulkanError> {
        let size = self.size;
        self.allocation
            .as_mut()
            .and_then(Allocation::mapped_slice_mut)
            .and_then(|bytes| bytes.get_mut(..usize::try_from(size).ok()?))
            .ok_or_else(|| VulkanError::Allocator("the memory is not mapped".to_owned()))
    }

    /// Frees buffer and memory; the device must be done with them.
    pub(crate) fn destroy(&mut self, device: &ash::Device, allocator: &mut Allocator) {
        // SAFETY: the buffer is of this device, nothing uses it any more, and the handle is not
        // used again.
        unsafe { device.destroy_buffer(self.handle, None) };
        self.handle = vk::Buffer::null();
        if let Some(allocation) = self.allocation.take() {
            // An allocation that its own allocator does not know would be our bug; there is
            // nothing to be done about it here.
            let _ = allocator.free(allocation);
        }
    }
}

/// An image bound to its memory. It must be given to [`GpuImage::destroy`].
#[derive(Debug)]
pub(crate) struct GpuImage {
    pub(crate) handle: vk::Image,
    allocation: Option<Allocation>,
}

impl GpuImage {
    /// Makes an image in the device's own memory.
    pub(crate) fn new(
        device: &ash::Device,
        allocator: &mut Allocator,
        info: &vk::ImageCreateInfo<'_>,
    ) -> Result<Self, VulkanError> {
        // SAFETY: the device is alive and the description is whole.
        let handle = unsafe { device.create_image(info, None) }.map_err(failed("vkCreateImage"))?;
        let mut image = Self {
            handle,
            allocation: None,
        };
        match image.bind(device, allocator) {
            Ok(()) => Ok(image),
            Err(error) => {
                image.destroy(device, allocator);
                Err(error)
            }
        }
    }

    fn bind(&mut self, device: &ash::Device, allocator: &mut Allocator) -> Result<(), VulkanError> {
        // SAFETY: the image is of this device.
        let requirements = unsafe { device.get_image_memory_requirements(self.handle) };
        let allocation = allocator.allocate(&AllocationCreateDesc {
            name: "draw",
            requirements,
            location: MemoryLocation::GpuOnly,
            linear: false,
            allocation_scheme: AllocationScheme::GpuAllocatorManaged,
        })?;
        // SAFETY: the memory belongs to this device and is only freed after the image; it satisfies the
        // image's requirements, and nothing else is bound to this part.
        let bound = unsafe {
            device.bind_image_memory(self.handle, allocation.memory(), allocation.offset())
        };
        self.allocation = Some(allocation);
        bound.map_err(failed("vkBindImageMemory"))
    }

    /// Frees image and memory; the device must be done with them.
    pub(crate) fn destroy(&mut self, device: &ash::Device, allocator: &mut Allocator) {
        // SAFETY: the image is of this device, nothing uses it any more, and the handle is not used again.
        unsafe { device.destroy_image(self.handle, None) };
        self.handle = vk::Image::null();
        if let Some(allocation) = self.allocation.take() {
            // As for a buffer.
            let _ = allocator.free(allocation);
        }
    }
}
