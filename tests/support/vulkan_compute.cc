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
  std::vector<VkDeviceMemory> memory;
};

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
                               std::array<uint32_t, 3> workgroups, std::vector<GpuBuffer>& buffers) {
  State& s = *state_;
  Scratch scratch(s.device);
  std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> sets;
  uint32_t highest = 0;
  for (const GpuBuffer& buffer : buffers) {
    VkDescriptorSetLayoutBinding binding{};
    binding.binding = buffer.binding;
    binding.descriptorType = buffer.is_uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    sets[buffer.group].push_back(binding);
    highest = std::max(highest, buffer.group + 1);
  }
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

  std::vector<VkDescriptorSet> descriptor_sets(highest);
  if (highest != 0) {
    const auto most = static_cast<uint32_t>(buffers.size());
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, most},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, most}};
    auto pool = Make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool.maxSets = highest;
    pool.poolSizeCount = 2;
    pool.pPoolSizes = sizes;
    if (vkCreateDescriptorPool(s.device, &pool, nullptr, &scratch.descriptor_pool) != VK_SUCCESS) return "pool";
    auto allocate = Make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocate.descriptorPool = scratch.descriptor_pool;
    allocate.descriptorSetCount = highest;
    allocate.pSetLayouts = scratch.set_layouts.data();
    if (vkAllocateDescriptorSets(s.device, &allocate, descriptor_sets.data()) != VK_SUCCESS) return "descriptor sets";
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    const VkDescriptorBufferInfo info{scratch.buffers[i], buffers[i].offset, std::max<uint64_t>(buffers[i].size, 4)};
    auto write = Make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = descriptor_sets[buffers[i].group];
    write.dstBinding = buffers[i].binding;
    write.descriptorCount = 1;
    write.descriptorType =
        buffers[i].is_uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &info;
    vkUpdateDescriptorSets(s.device, 1, &write, 0, nullptr);
  }

  vkResetCommandPool(s.device, s.pool, 0);
  auto allocate = Make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = s.pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands;
  if (vkAllocateCommandBuffers(s.device, &allocate, &commands) != VK_SUCCESS) return "command buffer";
  auto begin = Make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  vkBeginCommandBuffer(commands, &begin);
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
