import { Gauge, type Registry } from 'prom-client';

/** Figures of the bans on their way to servers. */
export interface BanFigures {
  readonly banning: number;
  readonly lifting: number;
  readonly overdue: number;
  /** Null: none waits. */
  readonly oldestDueMs: number | null;
  /** Null: nothing sends them yet. */
  readonly silentMs: number | null;
}

/** @returns sets them from a reading; null: there was no reading, and they are left out */
export const createBanGauges = (registry: Registry): ((figures: BanFigures | null) => void) => {
  const registers = [registry];
  const places = new Gauge({
    name: 'castellan_ban_places',
    help: 'Servers and players whose ban, or whose unban, is not there yet, by state: banning or lifting',
    labelNames: ['state'] as const,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const overdue = gauge('castellan_bans_overdue', 'Of these, those that wait for more than an hour');
  const oldest = gauge(
    'castellan_ban_oldest_due_seconds',
    'How long the one that waits longest has waited; 0 while none does',
  );
  const silence = gauge(
    'castellan_ban_silence_seconds',
    'Since the last sign of life of what brings bans to servers; absent until it begins',
  );
  return (figures) => {
    for (const each of [overdue, oldest, silence]) each.remove();
    places.reset();
    if (!figures) return;
    for (const state of ['banning', 'lifting'] as const) places.set({ state }, figures[state]);
    overdue.set(figures.overdue);
    oldest.set((figures.oldestDueMs ?? 0) / 1000);
    if (figures.silentMs !== null) silence.set(figures.silentMs / 1000);
  };
};
