import type { ChangeWish } from '#contracts/mods/mods.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { PlanMaterials, PlannedChange, PlanSubject } from '../plan/plan.ts';
import { planChange } from '../plan/plan-change.ts';
import { emptyList } from './sample-mods.ts';

const { signal } = new AbortController();
export const subjectOf = (list: ModsList = emptyList, more: Partial<PlanSubject> = {}): PlanSubject => ({
  game: 'minecraft',
  list,
  pins: new Map(),
  byName: 'Ann',
  proven: null,
  dependencies: new Set(),
  ...more,
});
export const plan = (
  subject: PlanSubject,
  wishes: readonly ChangeWish[],
  materials: PlanMaterials,
): Promise<PlannedChange> => planChange(subject, wishes, materials, signal);

/** A plan in words. */
export const told = ({ lines, faults }: PlannedChange) => ({
  lines: lines.map(({ change, name, from, to, neededBy }) =>
    [change, name, from, to, neededBy].map((part) => part ?? '-').join(' '),
  ),
  faults: faults.map(({ code, isBlocking, mod, other }) =>
    [isBlocking ? '!' : '', code, ' ', mod ?? '-', ' ', other ?? '-'].join(''),
  ),
});
