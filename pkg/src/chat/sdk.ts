/** The parts of the AI SDK that are used: one file of the package, loaded with the first question and never before. */

export { createAnthropic } from "@ai-sdk/anthropic";
export { createGoogleGenerativeAI } from "@ai-sdk/google";
export { createOpenAICompatible } from "@ai-sdk/openai-compatible";
