/** Made by www/build/picture.ts when the page is built. */
declare module "virtual:sample-picture" {
  export const width: number;
  export const height: number;
  export const boxes: readonly {
    readonly path: string;
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
    readonly depth: number;
  }[];
}
