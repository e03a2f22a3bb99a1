// SPDX-License-Identifier: Apache-2.0
#include "support/vulkan_compute.h"

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace kiln::testing {

// A Vulkan structure of its type, all else zero.
template <typename T>
static T Make(VkStructureType type) {
  T value{};
  value.sType = type;
  return value;
}

struct VulkanCompute::State {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  uint32_t family = 0;
  uint32_t memory_type = 0;
};

namespace {

// Everything made for one run, destroyed in the right order whatever failed.
struct Scratch {
  explicit Scratch(VkDevice d) : device(d) {}
  ~Scratch() {
    if (is_abandoned) return;
    if (fence != VK_NULL_HANDLE) vkDestroyFence(device, fence, nullptr);
    if (descriptor_pool != VK_NULL_HANDLE) vkDestroyDescriptorPool(device, descriptor_pool, nullptr);
    if (pipeline != VK_NULL_HANDLE) vkDestroyPipeline(device, pipeline, nullptr);
    if (layout != VK_NULL_HANDLE) vkDestroyPipelineLayout(device, layout, nullptr);
    for (VkDescriptorSetLayout set : set_layouts) vkDestroyDescriptorSetLayout(device, set, nullptr);
    if (module != VK_NULL_HANDLE) vkDestroyShaderModule(device, module, nullptr);
    for (VkBuffer buffer : buffers) vkDestroyBuffer(device, buffer, nullptr);
    for (VkSampler sampler : samplers) vkDestroySampler(device, sampler, nullptr);
    for (VkImageView view : views) vkDestroyImageView(device, view, nullptr);
    for (VkImage image : images) vkDestroyImage(device, image, nullptr);
    for (VkDeviceMemory block : memory) vkFreeMemory(device, block, nullptr);
  }
  VkDevice device;
  bool is_abandoned = false;  // the device still uses all of it
  VkFence fence = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkShaderModule module = VK_NULL_HANDLE;
  std::vector<VkDescriptorSetLayout> set_layouts;
  std::vector<VkBuffer> buffers;
  std::vector<VkImage> images;
  std::vector<VkImageView> views;
  std::vector<VkSampler> samplers;
  std::vector<VkDeviceMemory> memory;
};

/// An image that the host writes, as linear tiling allows; in the layout PREINITIALIZED. Empty if all went well.
std::string MakeImage(Scratch& scratch, const GpuImage& from, uint32_t memory_type) {
  auto info = Make<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  info.extent = {from.width, from.height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_LINEAR;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  info.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
  VkImage image;
  if (vkCreateImage(scratch.device, &info, nullptr, &image) != VK_SUCCESS) return "image";
  scratch.images.push_back(image);
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(scratch.device, image, &needs);
  auto allocate = Make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = memory_type;
  VkDeviceMemory block;
  if (vkAllocateMemory(scratch.device, &allocate, nullptr, &block) != VK_SUCCESS) return "image memory";
  scratch.memory.push_back(block);
  vkBindImageMemory(scratch.device, image, block, 0);
  const VkImageSubresource part{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout;
  vkGetImageSubresourceLayout(scratch.device, image, &part, &layout);
  void* at = nullptr;
  if (vkMapMemory(scratch.device, block, 0, VK_WHOLE_SIZE, 0, &at) != VK_SUCCESS) return "image mapping";
  const size_t row = size_t{from.width} * 4;
  for (uint32_t y = 0; y < from.height && row * (y + 1) <= from.texels.size(); ++y) {
    std::memcpy(static_cast<char*>(at) + layout.offset + layout.rowPitch * y, from.texels.data() + row * y, row * 4);
  }
  vkUnmapMemory(scratch.device, block);
  auto view = Make<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view.image = image;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = info.format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkImageView handle;
  if (vkCreateImageView(scratch.device, &view, nullptr, &handle) != VK_SUCCESS) return "image view";
  scratch.views.push_back(handle);
  return {};
}

std::string MakeSampler(Scratch& scratch) {
  auto info = Make<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler;
  if (vkCreateSampler(scratch.device, &info, nullptr, &sampler) != VK_SUCCESS) return "sampler";
  scratch.samplers.push_back(sampler);
  return {};
}

void ToReadable(VkCommandBuffer commands, VkImage image) {
  auto barrier = Make<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
  barrier.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &barrier);
}

}  // namespace

VulkanCompute::VulkanCompute() : state_(std::make_unique<State>()) {
  State& s = *state_;
  auto app = Make<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  app.apiVersion = VK_API_VERSION_1_3;
  auto info = Make<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &app;
  if (vkCreateInstance(&info, nullptr, &s.instance) != VK_SUCCESS) {
    error_ = "no Vulkan instance";
    return;
  }
  uint32_t count = 1;
  const VkResult found = vkEnumeratePhysicalDevices(s.instance, &count, &s.physical);
  if ((found != VK_SUCCESS && found != VK_INCOMPLETE) || count == 0) {
    error_ = "no Vulkan device";
    return;
  }
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(s.physical, &properties);
  device_name_ = properties.deviceName;

  // All that the device offers of what shaders may ask for.
  auto v13 = Make<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  auto v12 = Make<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto v11 = Make<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  auto features = Make<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  features.pNext = &v11;
  v11.pNext = &v12;
  if (properties.apiVersion >= VK_API_VERSION_1_3) v12.pNext = &v13;
  vkGetPhysicalDeviceFeatures2(s.physical, &features);
  features.features.robustBufferAccess = VK_FALSE;  // the shader keeps to its bounds by itself, or the test shows it

  const float priority = 1;
  auto queue = Make<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  auto device = Make<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  device.pNext = &features;
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  if (vkCreateDevice(s.physical, &device, nullptr, &s.device) != VK_SUCCESS) {
    error_ = "cannot make a device of " + device_name_;
    return;
  }
  vkGetDeviceQueue(s.device, 0, 0, &s.queue);
  auto pool = Make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  vkCreateCommandPool(s.device, &pool, nullptr, &s.pool);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(s.physical, &memory);
  constexpr VkMemoryPropertyFlags kWanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if ((memory.memoryTypes[i].propertyFlags & kWanted) == kWanted) {
      s.memory_type = i;
      return;
    }
  }
  error_ = "no memory that the host can see";
}

VulkanCompute::~VulkanCompute() {
  State& s = *state_;
  if (s.pool != VK_NULL_HANDLE) vkDestroyCommandPool(s.device, s.pool, nullptr);
  if (s.device != VK_NULL_HANDLE) vkDestroyDevice(s.device, nullptr);
  if (s.instance != VK_NULL_HANDLE) vkDestroyInstance(s.instance, nullptr);
}

std::string VulkanCompute::Run(const std::vector<uint32_t>& spirv, const std::string& entry_point,
                               std::array<uint32_t, 3> workgroups, std::vector<GpuBuffer>& buffers,
                               const std::vector<GpuImage>& images, const std::vector<GpuSampler>& samplers) {
  State& s = *state_;
  Scratch scratch(s.device);
  std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> sets;
  uint32_t highest = 0;
  const auto add = [&](uint32_t group, uint32_t at, VkDescriptorType type) {
    VkDescriptorSetLayoutBinding binding{};
    binding.binding = at;
    binding.descriptorType = type;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    sets[group].push_back(binding);
    highest = std::max(highest, group + 1);
  };
  const auto type_of = [](const GpuBuffer& buffer) {
    return buffer.is_uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  };
  for (const GpuBuffer& buffer : buffers) add(buffer.group, buffer.binding, type_of(buffer));
  for (const GpuImage& image : images) add(image.group, image.binding, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
  for (const GpuSampler& sampler : samplers) add(sampler.group, sampler.binding, VK_DESCRIPTOR_TYPE_SAMPLER);
  for (uint32_t group = 0; group < highest; ++group) {
    auto info = Make<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<uint32_t>(sets[group].size());
    info.pBindings = sets[group].data();
    VkDescriptorSetLayout layout;
    if (vkCreateDescriptorSetLayout(s.device, &info, nullptr, &layout) != VK_SUCCESS) return "descriptor set layout";
    scratch.set_layouts.push_back(layout);
  }
  auto layout = Make<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.setLayoutCount = highest;
  layout.pSetLayouts = scratch.set_layouts.data();
  if (vkCreatePipelineLayout(s.device, &layout, nullptr, &scratch.layout) != VK_SUCCESS) return "pipeline layout";
  auto module = Make<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  module.codeSize = spirv.size() * sizeof(uint32_t);
  module.pCode = spirv.data();
  if (vkCreateShaderModule(s.device, &module, nullptr, &scratch.module) != VK_SUCCESS) return "shader module";
  auto pipeline = Make<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipeline.stage.module = scratch.module;
  pipeline.stage.pName = entry_point.c_str();
  pipeline.layout = scratch.layout;
  if (vkCreateComputePipelines(s.device, VK_NULL_HANDLE, 1, &pipeline, nullptr, &scratch.pipeline) != VK_SUCCESS) {
    return "compute pipeline";
  }

  std::vector<void*> mapped;
  for (const GpuBuffer& buffer : buffers) {
    auto info = Make<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = std::max<size_t>(buffer.bytes.size(), buffer.offset + 4);
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    VkBuffer handle;
    if (vkCreateBuffer(s.device, &info, nullptr, &handle) != VK_SUCCESS) return "buffer";
    scratch.buffers.push_back(handle);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(s.device, handle, &needs);
    auto allocate = Make<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = s.memory_type;
    VkDeviceMemory block;
    if (vkAllocateMemory(s.device, &allocate, nullptr, &block) != VK_SUCCESS) return "buffer memory";
    scratch.memory.push_back(block);
    vkBindBufferMemory(s.device, handle, block, 0);
    void* at = nullptr;
    if (vkMapMemory(s.device, block, 0, VK_WHOLE_SIZE, 0, &at) != VK_SUCCESS) return "buffer mapping";
    mapped.push_back(at);
    if (!buffer.bytes.empty()) std::memcpy(at, buffer.bytes.data(), buffer.bytes.size());
  }

  for (const GpuImage& image : images) {
    if (std::string error = MakeImage(scratch, image, s.memory_type); !error.empty()) return error;
  }
  for (size_t i = 0; i < samplers.size(); ++i) {
    if (std::string error = MakeSampler(scratch); !error.empty()) return error;
  }

  std::vector<VkDescriptorSet> descriptor_sets(highest);
  if (highest != 0) {
    const auto most = static_cast<uint32_t>(buffers.size() + images.size() + samplers.size());
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, most},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, most},
                                          {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, most},
                                          {VK_DESCRIPTOR_TYPE_SAMPLER, most}};
    auto pool = Make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool.maxSets = highest;
    pool.poolSizeCount = 4;
    pool.pPoolSizes = sizes;
    if (vkCreateDescriptorPool(s.device, &pool, nullptr, &scratch.descriptor_pool) != VK_SUCCESS) return "pool";
    auto allocate = Make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocate.descriptorPool = scratch.descriptor_pool;
    allocate.descriptorSetCount = highest;
    allocate.pSetLayouts = scratch.set_layouts.data();
    if (vkAllocateDescriptorSets(s.device, &allocate, descriptor_sets.data()) != VK_SUCCESS) return "descriptor sets";
  }
  const auto bind = [&](uint32_t group, uint32_t binding, VkDescriptorType type, const VkDescriptorBufferInfo* buffer,
                        const VkDescriptorImageInfo* image) {
    auto write = Make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = descriptor_sets[group];
    write.dstBinding = binding;
    write.descriptorCount = 1;
    write.descriptorType = type;
    write.pBufferInfo = buffer;
    write.pImageInfo = image;
    vkUpdateDescriptorSets(s.device, 1, &write, 0, nullptr);
  };
  for (size_t i = 0; i < images.size(); ++i) {
    const VkDescriptorImageInfo info{VK_NULL_HANDLE, scratch.views[i], VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    bind(images[i].group, images[i].binding, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, nullptr, &info);
  }
  for (size_t i = 0; i < samplers.size(); ++i) {
    const VkDescriptorImageInfo info{scratch.samplers[i], VK_NULL_HANDLE, VK_IMAGE_LAYOUT_UNDEFINED};
    bind(samplers[i].group, samplers[i].binding, VK_DESCRIPTOR_TYPE_SAMPLER, nullptr, &info);
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    const VkDescriptorBufferInfo info{scratch.buffers[i], buffers[i].offset, std::max<uint64_t>(buffers[i].size, 4)};
    bind(buffers[i].group, buffers[i].binding, type_of(buffers[i]), &info, nullptr);
  }

  vkResetCommandPool(s.device, s.pool, 0);
  auto allocate = Make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = s.pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands;
  if (vkAllocateCommandBuffers(s.device, &allocate, &commands) != VK_SUCCESS) return "command buffer";
  auto begin = Make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  vkBeginCommandBuffer(commands, &begin);
  for (VkImage image : scratch.images) ToReadable(commands, image);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, scratch.pipeline);
  if (highest != 0) {
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, scratch.layout, 0, highest,
                            descriptor_sets.data(), 0, nullptr);
  }
  vkCmdDispatch(commands, workgroups[0], workgroups[1], workgroups[2]);
  vkEndCommandBuffer(commands);
  auto fence = Make<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  vkCreateFence(s.device, &fence, nullptr, &scratch.fence);
  auto submit = Make<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  std::string error;
  if (vkQueueSubmit(s.queue, 1, &submit, scratch.fence) != VK_SUCCESS) error = "submit";
  if (error.empty() && vkWaitForFences(s.device, 1, &scratch.fence, VK_TRUE, 300'000'000'000) != VK_SUCCESS) {
    scratch.is_abandoned = true;
    return "did not end within five minutes";
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].bytes.empty()) std::memcpy(buffers[i].bytes.data(), mapped[i], buffers[i].bytes.size());
  }
  vkFreeCommandBuffers(s.device, s.pool, 1, &commands);
  return error;
}

}  // namespace kiln::testing
