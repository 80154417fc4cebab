import type { ModSourceState, PlanFault } from '#contracts/mods/mods.ts';
import type { SourceFailure } from '../sources/mod-source.ts';

type Told = Partial<Omit<PlanFault, 'code' | 'isBlocking'>>;

const fault = (code: PlanFault['code'], isBlocking: boolean, told: Told): PlanFault => ({
  code,
  isBlocking,
  mod: null,
  other: null,
  page: null,
  fileName: null,
  sha1: null,
  project: null,
  version: null,
  ...told,
  detail: told.detail?.slice(0, 500) ?? null,
});

/** Blocks the whole plan. */
export const blocking = (code: PlanFault['code'], told: Told): PlanFault => fault(code, true, told);

/** People have to know it; the plan continues without it. */
export const said = (code: PlanFault['code'], told: Told): PlanFault => fault(code, false, told);

/** The names people use. */
export const sourceTitles = {
  modrinth: 'Modrinth',
  curseforge: 'CurseForge',
  steam: 'Steam Workshop',
  address: 'its address',
  upload: 'its upload',
} as const satisfies Record<ModSourceState['source'], string>;

const codes = {
  limited: 'SOURCE_LIMITED',
  away: 'SOURCE_AWAY',
  'no-key': 'SOURCE_NO_KEY',
  'key-refused': 'SOURCE_KEY_REFUSED',
  // A source that answers is no fault; a failure with this state would make no sense.
  ok: 'SOURCE_AWAY',
} as const satisfies Record<ModSourceState['state'], PlanFault['code']>;

export const codeOf = ({ failed }: SourceFailure): PlanFault['code'] => codes[failed.state];

/** Removes duplicates, keeping the order. */
export const distinctFaults = (faults: readonly PlanFault[]): PlanFault[] => [
  ...new Map(faults.map((one) => [JSON.stringify(one), one])).values(),
];
