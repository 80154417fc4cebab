import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/**
 * Some registries do not carry every platform's optional packages. npm then leaves them out of package-lock.json, and
 * `npm ci` refuses the file. This adds them, marked for their platform, so that npm neither misses nor fetches them.
 *
 * It also removes which Node a package wants: everything here runs on the Node that package.json pins, while npm
 * compares with the Node that runs npm itself, and warns.
 *
 * Run it after each change to a dependency.
 */

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  engines?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
];

const platformOf = (name: string) => {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  return { cpu: cpu.length > 0 ? cpu : ['none'], ...(os.length > 0 ? { os } : {}) };
};

const file = resolve(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, LockedPackage> };

for (const parent of Object.values(lock.packages)) {
  delete parent.engines;
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    const isPinned = /^\d/.test(version);
    if (lock.packages[path] || !isPinned) continue;
    lock.packages[path] = {
      version,
      ...platformOf(name),
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
    } as LockedPackage;
  }
}

// In npm's own order.
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
