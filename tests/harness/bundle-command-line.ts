import { join, resolve } from 'node:path';
import { bundleFile } from '../../build/bundle/bundle-file.ts';
import { commandLine } from './built-program.ts';

/** Bundles it into the folder that the argument names; a process of its own, since a bundler holds more than a gigabyte. */

const [folder = ''] = process.argv.slice(2);
await bundleFile(resolve(import.meta.dirname, '../..', commandLine), join(folder, 'command-line.mjs'));
