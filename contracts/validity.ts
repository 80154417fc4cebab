interface Validity {
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}

/** Whether something ends after it begins; null: it has no such limit. */
export const isForwards = ({ validFrom, validUntil }: Validity): boolean =>
  validFrom === null || validUntil === null || Date.parse(validFrom) < Date.parse(validUntil);

/** What a contract says otherwise. */
export const backwards = { path: ['validUntil'], message: 'must come after its start' };
