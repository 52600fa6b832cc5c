/** `portolan/chat`: questions to a language model about an index, which the caller opened. Nothing is sent before the caller agrees. */

export { Chat, someModels, type ChatOptions } from "../chat/chat.js";
export { builtInAvailability } from "../chat/built-in.js";
export {
  type AnswerPiece,
  type PlaceCheck,
  Places,
  piecesOf,
  placesKept,
  textOfCitation,
} from "../chat/citations.js";
export type { ChainEvent } from "../chat/chain.js";
export { ModelFailure } from "../chat/failure.js";
export {
  type Conversation,
  conversationOf,
  markdownOf,
  newConversation,
  titleOf,
  withTurn,
} from "../chat/history.js";
export type { Clock, Limits } from "../chat/limiter.js";
export { openModel } from "../chat/model.js";
export {
  type Address,
  addressOf,
  checkSettings,
  type ModelSettings,
  nameOfModel,
  type Protocol,
  type Provider,
  PROVIDERS,
} from "../chat/providers.js";
export { type Price, tokensOfText } from "../chat/tokens.js";
export { documentWriter, type WriterOptions } from "../chat/writer.js";
export type {
  ChatEvent,
  Citation,
  Message,
  Model,
  ModelPart,
  ModelRequest,
  Outgoing,
  Piece,
  Review,
  Step,
  ToolCall,
  Turn,
  Usage,
} from "../chat/types.js";
