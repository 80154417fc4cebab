/** The version of the panel, which ships with its changelog. */
export const ownVersion = String(import.meta.env.CASTELLAN_VERSION);
