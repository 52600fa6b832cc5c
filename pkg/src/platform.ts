/**
 * Classes of the platform as types, under their own names. A TypeScript project without `lib: ["DOM"]` has some of them from
 * `@types/node` and lacks others; a declaration that named a missing one would not compile there.
 */

type GlobalClass<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : Otherwise;

export type Blob = GlobalClass<"Blob", never>;
export type File = GlobalClass<"File", never>;
export type FileSystemDirectoryHandle = GlobalClass<"FileSystemDirectoryHandle", never>;
export type URL = GlobalClass<"URL", { readonly href: string }>;
export type Request = GlobalClass<"Request", never>;
export type Response = GlobalClass<"Response", never>;
export type Headers = GlobalClass<"Headers", { get(name: string): string | null }>;
export type AbortSignal = GlobalClass<"AbortSignal", { readonly aborted: boolean; readonly reason: unknown }>;

export declare namespace WebAssembly {
  /** A compiled module. Without a declaration of it any object is taken. */
  export type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Instance } } }
    ? Instance
    : object;
}

export type Fetch = typeof globalThis extends { fetch: infer Function } ? Function : never;
