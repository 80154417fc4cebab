import { Gauge, type Registry } from 'prom-client';

/** Figures of timed purchases and their ends. */
export interface EndFigures {
  readonly taking: number;
  readonly giving: number;
  readonly unknown: number;
  readonly overdue: number;
  /** Null: none is due. */
  readonly oldestDueMs: number | null;
  /** Null: nothing follows them yet. */
  readonly silentMs: number | null;
}

/** @returns sets them from a reading; null: there was no reading, and they are left out */
export const createEndGauges = (registry: Registry): ((figures: EndFigures | null) => void) => {
  const registers = [registry];
  const places = new Gauge({
    name: 'castellan_entitlement_places',
    help: 'Servers and players with a command of something that lasts, by state: taking, giving, or unknown, which waits for a person',
    labelNames: ['state'] as const,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const overdue = gauge(
    'castellan_entitlement_ends_overdue',
    'Ends that have been due for more than an hour',
  );
  const oldest = gauge(
    'castellan_entitlement_oldest_due_seconds',
    'How long the end that is due for longest has been due; 0 while none is',
  );
  const silence = gauge(
    'castellan_entitlement_silence_seconds',
    'Since the last sign of life of what follows the ends; absent until it begins',
  );
  return (figures) => {
    for (const each of [overdue, oldest, silence]) each.remove();
    places.reset();
    if (!figures) return;
    for (const state of ['taking', 'giving', 'unknown'] as const) places.set({ state }, figures[state]);
    overdue.set(figures.overdue);
    oldest.set((figures.oldestDueMs ?? 0) / 1000);
    if (figures.silentMs !== null) silence.set(figures.silentMs / 1000);
  };
};
