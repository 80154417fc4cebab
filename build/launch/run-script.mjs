import fs from 'fs';
import path from 'path';
import { fileURLToPath, pathToFileURL } from 'url';
import { refuseOldNode } from './old-node.mjs';

/*
 * `npm run` starts each script through this: `node build/launch/run-script.mjs SCRIPT.ts ARGUMENT …`. npm finds the pinned
 * Node first; where it is not installed, another one runs, which may not even know TypeScript.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const { devEngines } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const [script, ...args] = process.argv.slice(2);

const isTooOld = refuseOldNode(
  process.env.npm_lifecycle_event ? `npm run ${process.env.npm_lifecycle_event}` : script,
  devEngines.runtime.version.replace('>=', ''),
  [],
  '"npm ci --include=optional" installs it on Linux and Windows (x64); elsewhere, get it from https://nodejs.org/',
);
if (!isTooOld) {
  const file = path.join(root, script);
  process.argv = [process.argv[0], file, ...args];
  void import(pathToFileURL(file).href);
}
