/** What one delivery of something that lasts adds to it. */
export interface Grant {
  readonly deliveryId: string;
  readonly givenAt: Date;
  readonly seconds: number;
  /** False: it lasts from when it was given, however long the others do. */
  readonly extends: boolean;
}

/**
 * When something that lasts ends; null without a grant. A grant adds its time at the later of its delivery and the end so
 * far. Revoked grants are left out by the caller, so that the order of refunds plays no part.
 */
export const foldGrants = (grants: readonly Grant[]): Date | null => {
  const inOrder = [...grants].sort(
    (one, other) =>
      one.givenAt.getTime() - other.givenAt.getTime() || (one.deliveryId < other.deliveryId ? -1 : 1),
  );
  let endMs: number | null = null;
  for (const { givenAt, seconds, extends: adds } of inOrder) {
    const givenMs = givenAt.getTime();
    const lastsMs = seconds * 1000;
    endMs = adds
      ? Math.max(givenMs, endMs ?? givenMs) + lastsMs
      : Math.max(givenMs + lastsMs, endMs ?? givenMs);
  }
  return endMs === null ? null : new Date(Math.min(endMs, latestMs));
};

/** A date that JavaScript and Postgres both can hold. */
const latestMs = Date.UTC(9999, 0, 1);
