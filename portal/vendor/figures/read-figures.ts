import type { Kysely } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { PortalTables } from '../../database/tables.ts';
import { type FigureDays, type FigureSteps, stepsAhead, stepsBack } from './figure-steps.ts';
import { type LicenseStep, readExpiring, readLicenseFlow } from './read-license-flow.ts';
import { readSales, type Sales } from './read-sales.ts';

export interface Figures {
  readonly takenAt: Date;
  readonly steps: FigureSteps;
  readonly sales: Sales;
  readonly licenses: readonly LicenseStep[];
  readonly expiring: { readonly steps: FigureSteps; readonly licenses: readonly number[] };
}

export const expiringDays = 30;

/** Reading all licenses takes a moment; a result is shown again for this long, with its time. */
const maxAgeMs = 15_000;
/** Zones and ranges that are viewed in turn. */
const maxKept = 20;

export const createReadFigures = (db: Kysely<PortalTables>, clock: Clock) => {
  const kept = new Map<string, { readonly takenAt: Date; readonly figures: Promise<Figures> }>();

  const read = async (days: FigureDays, timeZone: string, takenAt: Date): Promise<Figures> => {
    const steps = await stepsBack(db, days, timeZone, takenAt);
    const ahead = await stepsAhead(db, expiringDays, timeZone, takenAt);
    return {
      takenAt,
      steps,
      sales: await readSales(db, steps),
      licenses: await readLicenseFlow(db, steps, takenAt),
      expiring: { steps: ahead, licenses: await readExpiring(db, ahead, takenAt) },
    };
  };

  return async (days: FigureDays, timeZone: string): Promise<Figures> => {
    const name = `${days} ${timeZone}`;
    const now = clock.now();
    const last = kept.get(name);
    const ageMs = last ? now.getTime() - last.takenAt.getTime() : Infinity;
    if (last && ageMs >= 0 && ageMs < maxAgeMs) return last.figures;
    const figures = read(days, timeZone, now);
    kept.delete(name);
    kept.set(name, { takenAt: now, figures });
    for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest);
    // A failure is reported to the caller, and not kept.
    figures.catch(() => kept.delete(name));
    return figures;
  };
};
