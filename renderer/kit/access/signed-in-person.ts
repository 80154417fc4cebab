const key = 'castellan.signed-in';

/** The id of the person who is signed in, as far as this browser knows; empty: not asked yet, null: no one. */
export const signedInPerson = (): string | null => localStorage.getItem(key);

export const setSignedInPerson = (id: string | null): void => {
  if (id === null) localStorage.removeItem(key);
  else localStorage.setItem(key, id);
};

/** All tabs share one cookie: calls back when another tab signs out or signs in a different person. */
export const onSignedInElsewhere = (listener: (id: string | null) => void): void => {
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) listener(signedInPerson());
  });
};
