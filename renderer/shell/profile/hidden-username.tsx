/** Tells password managers whose password it is. */
export const HiddenUsername = ({ name }: { readonly name: string }) => (
  <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
);
