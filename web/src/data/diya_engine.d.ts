/** What `cargo xtask web-app` generates: JavaScript that the module of the engine asks for (clock, random numbers). */
declare module "diya-engine" {
  export function initSync(options: { readonly module: WebAssembly.Module }): unknown;
}
