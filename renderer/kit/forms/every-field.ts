/** A draft that names each of its fields, also those that may be left out: the compiler names one that would never be saved. */
export type EveryField<Draft> = Draft extends unknown
  ? { [Field in keyof Required<Draft>]: Draft[Field] }
  : never;
