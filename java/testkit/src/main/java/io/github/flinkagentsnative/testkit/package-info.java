/**
 * A local chat model service for a user's own tests: no key, no network, no mock.
 *
 * <p>{@link io.github.flinkagentsnative.testkit.LocalChatServer} speaks OpenAI Chat Completions and the Azure OpenAI paths over real
 * HTTP, refuses what the real service would refuse, answers from the text of the request, and fails on demand.
 */
package io.github.flinkagentsnative.testkit;
