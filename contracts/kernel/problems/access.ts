import type { ProblemEntry } from './problem-entry.ts';

/** Problems with the caller's identity and permissions. */
export const accessProblems = {
  FORBIDDEN: {
    status: 403,
    title: 'Not allowed',
    meaning: 'You do not have the permission for this.',
    remedy: 'Ask an owner for the permission.',
  },
  PERSON_REQUIRED: {
    status: 403,
    title: 'For people only',
    meaning:
      'API keys and the Discord bot cannot create accounts, roles or keys, reset passwords, write commands into products, or take the own secret of a Game Agent away, whatever their rights.',
    remedy: 'Sign in as a person, or use the desktop or the castellan command on the machine itself.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    title: 'Confirm it’s you',
    meaning:
      'This needs your password or a code of your second factor, entered within the last 10 minutes; on the desktop, a confirmation there.',
    remedy:
      'Try again and confirm when you are asked. Scripts first send the password or a code to POST /api/me/step-up in the same session.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Sign in first',
    meaning: 'You are not signed in, or your sign-in has ended.',
    remedy: 'Sign in. Programs on this machine need no sign-in when they ask without a proxy.',
  },
  CROSS_ORIGIN: {
    status: 403,
    title: 'Request from another site',
    meaning: 'A browser sent this request with its cookie, but not from a page of this installation.',
    remedy:
      'Use the panel itself; scripts send a bearer token. Changes by cookie need Sec-Fetch-Site: same-origin (or Origin of this host) and Content-Type: application/json. Behind a proxy that changes Host, set the public address in the settings on the machine itself.',
  },
  WRONG_CREDENTIALS: {
    status: 401,
    title: 'Name, password or code not right',
    meaning: 'No active admin has this name and password, or the code is wrong, used or expired.',
    remedy:
      'Try again. If codes are refused, let the phone set its date and time automatically: a clock that is a minute off makes wrong codes. ' +
      'An owner can set a new password, or on the machine itself: castellan admin reset-password',
  },
  SETUP_LINK_INVALID: {
    status: 403,
    title: 'Set-up link not valid',
    meaning: 'There is a newer link, or the first owner exists already.',
    remedy: 'Use the link in setup-link.txt in the data folder. If there is none, sign in.',
  },
  NAME_TAKEN: {
    status: 409,
    title: 'Name taken',
    meaning: 'This name is in use, or one that looks the same. Upper and lower case make no difference.',
    remedy: 'Choose another name.',
  },
  LAST_OWNER: {
    status: 409,
    title: 'The last owner',
    meaning: 'After this change, no owner could sign in.',
    remedy: 'Make another admin an owner first.',
  },
  ROLE_IN_USE: {
    status: 409,
    title: 'Role in use',
    meaning: 'Admins hold this role, everywhere or for a server.',
    remedy: 'Give them another role first.',
  },
  TOTP_STATE: {
    status: 409,
    title: 'Two-step sign-in has changed',
    meaning: 'Two-step sign-in is already on, already off, or its set-up was not started.',
    remedy: 'Open your profile again, then start over.',
  },
} as const satisfies Record<string, ProblemEntry>;
