import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

// Simulates a game that was taken over: as its account, it swaps files and folders of its server for links to root's files, as fast
// as it can. It prints a line per hundred swaps, and `LEAK` when it can read what it must not.

const [root = '', ...outside] = process.argv.slice(2);
const stage = '.castellan-mods/x';
const folders = [
  ...['mods', 'config', 'config/pack', 'world', '.castellan-mods', stage, `${stage}/new`, `${stage}/new/0`],
  ...[`${stage}/old`, '.castellan-rehearsal', '.castellan-rehearsal/mods', '.castellan-rehearsal/world'],
];
const targets = [
  ...folders,
  'mods/One-1.jar',
  'config/pack/settings.toml',
  '.castellan-rehearsal/server.properties',
];
const own: Record<string, string> = {
  'mods/One-1.jar': 'old',
  'config/pack/settings.toml': 'x = 1',
  'world/level.dat': 'world',
  'server.properties': 'server-port=25565\n',
};

/** Failures are expected: the other side was faster. */
const attempt = (act: () => void): boolean => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

const restore = () => {
  for (const [path, text] of Object.entries(own)) {
    attempt(() => mkdirSync(join(root, dirname(path)), { recursive: true }));
    attempt(() => writeFileSync(join(root, path), text, { flag: 'wx' }));
  }
};

const look = () => {
  for (const path of ['.castellan-rehearsal/mods', '.castellan-rehearsal/world', 'mods', `${stage}/old`])
    attempt(() => {
      for (const name of readdirSync(join(root, path)))
        if (readFileSync(join(root, path, name), 'latin1').includes('known to root alone'))
          writeSync(1, 'LEAK\n');
    });
};

const spin = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

for (let swaps = 1; ; swaps += 1) {
  const path = targets[swaps % targets.length] ?? '';
  const [place, aside] = [join(root, path), join(root, `${path}~`)];
  if (attempt(() => renameSync(place, aside))) {
    attempt(() =>
      symlinkSync(join(outside[Math.floor(swaps / targets.length) % outside.length] ?? '', path), place),
    );
    spin(Math.random());
    attempt(() => unlinkSync(place));
    if (!attempt(() => renameSync(aside, place)))
      attempt(() => rmSync(aside, { recursive: true, force: true }));
  }
  if (swaps % targets.length === 0) {
    restore();
    look();
    spin(Math.random() * 20);
  }
  if (swaps % 100 === 0) writeSync(1, `${swaps}\n`);
}
