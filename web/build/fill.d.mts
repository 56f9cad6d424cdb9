export interface Filling {
    readonly report: object;
    readonly tables?: string;
    readonly pack?: string;
    readonly wasm?: string;
    readonly text?: string;
    readonly title?: string;
}
export function fillPage(template: string, filling: Filling): string;
