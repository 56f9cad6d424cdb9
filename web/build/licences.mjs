// Names the packages that a page carries, with the texts of their licences: dist/licences.txt.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { root } from "./inline.mjs";

/** A file of its style sheet, which is no module: the bundler does not list it. */
const FONT = "@fontsource-variable/inter";
const LIST = "packages.json";

/** Vite plugin: lists the packages of a bundle beside it. */
export const packageList = () => ({
    name: "package-list",
    generateBundle(_, bundle) {
        const modules = Object.values(bundle).flatMap((part) => Object.entries(part.modules ?? {}));
        const used = modules
            .filter(([, { renderedLength }]) => renderedLength > 0)
            .flatMap(([id]) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
        this.emitFile({ type: "asset", fileName: LIST, source: JSON.stringify([...new Set([...used, FONT])].sort()) });
    },
});

function section(name) {
    const folder = new URL(`node_modules/${name}/`, root);
    const { version, license } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
    const files = readdirSync(folder)
        .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
        .sort();
    if (files.length === 0) throw new Error(`${name} has no text of its licence`);
    const texts = files.map((file) => readFileSync(new URL(file, folder), "utf8").trim());
    return `${"=".repeat(78)}\n${name} ${version}: ${license}\n\n${texts.join("\n\n")}\n`;
}

const listed = (parts) => JSON.parse(readFileSync(new URL(`dist/${parts}/${LIST}`, root), "utf8"));
const file = new URL("dist/licences.txt", root);

export function writeLicences(parts) {
    writeFileSync(
        file,
        `The pages of diya contain these libraries, under these licences.\n\n${listed(parts).map(section).join("\n")}`,
    );
}

/** Another page may carry nothing else. */
export function checkLicences(parts) {
    const written = readFileSync(file, "utf8");
    const missing = listed(parts).filter((name) => !written.includes(`\n${name} `));
    if (missing.length > 0) throw new Error(`dist/licences.txt lacks ${missing.join(", ")}`);
}
