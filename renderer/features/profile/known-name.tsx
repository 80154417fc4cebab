/** Whose password it is: keepers of passwords look for it, people know it. */
export const KnownName = ({ name }: { readonly name: string }) => (
  <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
);
