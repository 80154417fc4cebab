import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The longest first, so that no worker starts one when the others are done. Times were measured in seconds on two cores. */
const heavyFirst = [
  /** The Windows lab runs one program at a time: this file determines the length of a run. */
  'tests/windows/',
  'tests/desktop/updates',
  'tests/browser/panel-openings',
  'tests/browser/panel-shift',
  'tests/browser/panel-pages',
  'tests/integration/agents',
  'tests/browser/portal-vendor',
  'tests/desktop/',
  'tests/integration/canary',
  'tests/integration/faults',
  'tests/integration/demo',
  'tests/browser/panel-overview',
  'tests/browser/panel-deliveries',
  'tests/browser/panel-store',
  'tests/browser/panel-notices',
  'tests/browser/',
  'tests/integration/',
  'electron/headless/',
  'runtime/backup/',
  'electron/stack/',
  'portal/signing-keys/',
  'server/backups/',
  'electron/desktop/services/',
  'server/database/',
  'runtime/postgres/',
  'agent/main',
  'tests/',
];

const weightOf = (moduleId: string): number => {
  const index = heavyFirst.findIndex((part) => moduleId.includes(`/${part}`));
  return index < 0 ? 0 : heavyFirst.length - index;
};

/** Puts heavy files first; otherwise vitest decides, by the last run's durations or by size. */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => weightOf(b.moduleId) - weightOf(a.moduleId));
  }
}
