import { join } from 'node:path';
import type { Bundled, ProgramName } from './bundle-file.ts';
import type { StampedPart } from './stamps.ts';

export interface Part extends StampedPart {
  readonly name: PartName;
  /** Customers get it. */
  readonly isInstalled: boolean;
  /** Puts its files into a folder. The bundlers are loaded only here, since most starts build nothing. */
  build(folder: string): Promise<Bundled>;
}

export type PartName = ProgramName | 'preload' | 'panel' | 'icons';

const program = (name: ProgramName): Part => ({
  name,
  outputs: [`${name}.mjs`],
  trees: name === 'portal' ? ['renderer/kit/design/tokens.css'] : [],
  // Customers do not get the portal.
  isInstalled: name !== 'portal',
  build: async (folder) => (await import('./bundle-file.ts')).bundleProgram(name, folder),
});

const preload: Part = {
  name: 'preload',
  outputs: ['preload.cjs'],
  trees: [],
  isInstalled: true,
  build: async (folder) => (await import('./bundle-file.ts')).bundlePreload(folder),
};

const panel: Part = {
  name: 'panel',
  outputs: ['panel'],
  // Style sheets name files that the bundler does not report.
  trees: ['renderer', 'runtime/version.ts'],
  isInstalled: true,
  build: async (folder) => (await import('../panel.ts')).buildPanel(join(folder, 'panel')),
};

const icons: Part = {
  name: 'icons',
  outputs: ['icons'],
  trees: ['resources', 'renderer/public'],
  isInstalled: false,
  async build(folder) {
    await (await import('../icons/draw-icons.ts')).drawIcons(join(folder, 'icons'));
    return { modules: [], read: [] };
  },
};

export interface Stage {
  /** What is built, in words. */
  readonly what: string;
  readonly parts: readonly Part[];
}

/** In the order in which a first start needs them. */
export const stages: readonly Stage[] = [
  { what: 'the portal', parts: [program('portal')] },
  {
    what: 'the stack and its panel',
    parts: [
      panel,
      ...(['castellan', 'guardian', 'disk-worker', 'api', 'bot', 'agent'] as const).map(program),
    ],
  },
  { what: 'the desktop', parts: [program('desktop'), preload, program('elevate'), icons] },
];
