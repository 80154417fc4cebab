import type { NewRecord } from '../record/record-store.ts';

/** A record whose fields all carry the mark of their writer, so that a mixed one is noticed. */
export const sampleRecord = (mark: string): NewRecord => ({
  licenseKey: mark,
  tenantId: `c${mark.repeat(24).slice(0, 24)}`,
  token: `${mark}.${mark.repeat(2000)}.${mark}`,
  refusal: null,
  lastCheck: { at: '2026-01-01T00:00:00.000Z', outcome: 'confirmed', detail: mark },
  seals: [],
  successorKeys: [],
  strikes: null,
});
