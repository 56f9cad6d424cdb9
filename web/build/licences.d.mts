import type { Plugin } from "vite";
export function packageList(): Plugin;
export function writeLicences(parts: string): void;
export function checkLicences(parts: string): void;
