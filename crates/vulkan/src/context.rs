//! The Vulkan instance with its validation messages. Knows no device and no job.

use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use ash::{ext, khr, vk};

use crate::error::{VulkanError, failed};

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// The newest API version that this room is written for.
const NEWEST: u32 = vk::API_VERSION_1_3;

/// Messages that are kept at most; a shader in a loop can make any number.
const MESSAGE_LIMIT: usize = 256;

/// What the validation layer said since it was last asked.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) errors: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

impl Messages {
    pub(crate) fn take(&self) -> Kept {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn has_errors(&self) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        !kept.errors.is_empty()
    }

    fn put(&self, is_error: bool, text: String) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let list = if is_error {
            &mut kept.errors
        } else {
            &mut kept.warnings
        };
        if list.len() < MESSAGE_LIMIT {
            list.push(text);
        }
    }
}

/// A Vulkan instance; destroyed on drop, after everything made from it.
pub(crate) struct Context {
    pub(crate) instance: ash::Instance,
    /// The API version that may be used with a device of at least that version.
    pub(crate) api_version: u32,
    /// The version of the specification that the validation layer knows; without one, the newest.
    pub(crate) layer_version: u32,
    pub(crate) messages: Arc<Messages>,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// Keeps the loader library mapped.
    _entry: ash::Entry,
}

impl Context {
    pub(crate) fn new(validation: bool) -> Result<Self, VulkanError> {
        // SAFETY: loading runs the initialisers of the system's Vulkan loader, which is a plain
        // library; the entry is kept as long as the instance.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| VulkanError::LoaderMissing {
            reason: error.to_string(),
        })?;
        // SAFETY: `entry` is loaded.
        let loader_version = unsafe { entry.try_enumerate_instance_version() }
            .map_err(failed("vkEnumerateInstanceVersion"))?
            .unwrap_or(vk::API_VERSION_1_0);
        let api_version = loader_version.min(NEWEST);
        if api_version < vk::API_VERSION_1_1 {
            return Err(VulkanError::LoaderMissing {
                reason: "the loader is older than Vulkan 1.1".to_owned(),
            });
        }

        // SAFETY: `entry` is loaded, and no layer is named.
        let offered = unsafe { entry.enumerate_instance_extension_properties(None) }
            .map_err(failed("vkEnumerateInstanceExtensionProperties"))?;
        let mut extensions = Vec::new();
        let mut layers = Vec::new();
        let mut flags = vk::InstanceCreateFlags::empty();
        if has(&offered, khr::portability_enumeration::NAME) {
            extensions.push(khr::portability_enumeration::NAME.as_ptr());
            flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let mut layer_version = u32::MAX;
        if validation {
            layer_version = require_layer(&entry, &offered)?;
            layers.push(VALIDATION_LAYER.as_ptr());
            extensions.push(ext::debug_utils::NAME.as_ptr());
        }

        let messages = Arc::new(Messages::default());
        let mut messenger_info = messenger_info(&messages);
        let application = vk::ApplicationInfo::default()
            .application_name(c"spirdna")
            .engine_name(c"spirdna")
            .api_version(api_version);
        let mut info = vk::InstanceCreateInfo::default()
            .flags(flags)
            .application_info(&application)
            .enabled_extension_names(&extensions)
            .enabled_layer_names(&layers);
        if validation {
            info = info.push_next(&mut messenger_info);
        }
        // SAFETY: everything that `info` points at lives until after the call; the names are
        // static strings that end in zero.
        let instance =
            unsafe { entry.create_instance(&info, None) }.map_err(|result| match result {
                vk::Result::ERROR_INCOMPATIBLE_DRIVER => VulkanError::NoDevice,
                vk::Result::ERROR_LAYER_NOT_PRESENT => VulkanError::LayerMissing {
                    layer: "VK_LAYER_KHRONOS_validation",
                },
                other => failed("vkCreateInstance")(other),
            })?;
        let mut context = Self {
            instance,
            api_version,
            layer_version,
            messages,
            messenger: None,
            _entry: entry,
        };
        if validation {
            let debug = ext::debug_utils::Instance::new(&context._entry, &context.instance);
            let info = self::messenger_info(&context.messages);
            // SAFETY: the instance has the extension; the user pointer is the allocation of
            // `messages`, which the context keeps until after the messenger is destroyed.
            let messenger = unsafe { debug.create_debug_utils_messenger(&info, None) }
                .map_err(failed("vkCreateDebugUtilsMessengerEXT"))?;
            context.messenger = Some((debug, messenger));
        }
        Ok(context)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Some((debug, messenger)) = self.messenger.take() {
            // SAFETY: made from this instance, destroyed once, and no call is in progress.
            unsafe { debug.destroy_debug_utils_messenger(messenger, None) };
        }
        // SAFETY: whatever was made from the instance is destroyed: `Device` drops its own objects
        // before its context, and leaks the context where it cannot.
        unsafe { self.instance.destroy_instance(None) };
    }
}

pub(crate) fn has(offered: &[vk::ExtensionProperties], name: &CStr) -> bool {
    offered
        .iter()
        .any(|e| e.extension_name_as_c_str().is_ok_and(|n| n == name))
}

/// The layer must be there and debug messages must be offered, by the loader or by the layer. Gives
/// the version of the specification that the layer knows.
fn require_layer(
    entry: &ash::Entry,
    offered: &[vk::ExtensionProperties],
) -> Result<u32, VulkanError> {
    // SAFETY: `entry` is loaded.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }
        .map_err(failed("vkEnumerateInstanceLayerProperties"))?;
    let Some(layer) = layers
        .iter()
        .find(|l| l.layer_name_as_c_str().is_ok_and(|n| n == VALIDATION_LAYER))
    else {
        return Err(VulkanError::LayerMissing {
            layer: "VK_LAYER_KHRONOS_validation",
        });
    };
    if has(offered, ext::debug_utils::NAME) {
        return Ok(layer.spec_version);
    }
    // SAFETY: `entry` is loaded and the layer's name is a static string that ends in zero.
    let of_layer = unsafe { entry.enumerate_instance_extension_properties(Some(VALIDATION_LAYER)) }
        .map_err(failed("vkEnumerateInstanceExtensionProperties"))?;
    if has(&of_layer, ext::debug_utils::NAME) {
        Ok(layer.spec_version)
    } else {
        Err(VulkanError::LayerMissing {
            layer: "VK_EXT_debug_utils",
        })
    }
}

/// Errors and warnings about how Vulkan is used. The loader's own remarks (a driver file that
/// cannot be opened) are of the general type and no fault of a job.
fn messenger_info(messages: &Arc<Messages>) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(
            vk::DebugUtilsMessageSeverityFlagsEXT::ERROR
                | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING,
        )
        .message_type(
            vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE,
        )
        .pfn_user_callback(Some(record))
        .user_data(Arc::as_ptr(messages).cast_mut().cast())
}

/// Called by the layer, on whichever thread made the Vulkan call.
unsafe extern "system" fn record(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: `user` is the pointer given with the messenger: a `Messages` that outlives it and is
    // only ever reached by shared reference.
    let messages = unsafe { user.cast::<Messages>().as_ref() };
    // SAFETY: the layer passes a valid structure for the time of the call, or null.
    let data = unsafe { data.as_ref() };
    if let (Some(messages), Some(data)) = (messages, data) {
        // SAFETY: the text is null or ends in zero, for the time of the call.
        let text = unsafe { data.message_as_c_str() }
            .map(|text| text.to_string_lossy().into_owned())
            .unwrap_or_default();
        messages.put(
            severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR),
            text,
        );
    }
    vk::FALSE
}
