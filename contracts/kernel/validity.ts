/** Whether something ends after it begins; null: no such limit. */
export const isForwards = ({
  validFrom,
  validUntil,
}: {
  readonly validFrom: string | null;
  readonly validUntil: string | null;
}): boolean => validFrom === null || validUntil === null || Date.parse(validFrom) < Date.parse(validUntil);

/** The error for a validity that ends too early. */
export const backwards = { path: ['validUntil'], message: 'must come after its start' };
