import type { ProblemEntry } from './problem-entry.ts';

/** Of who asks, and what they may do. */
export const accessProblems = {
  FORBIDDEN: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The caller is known but may not do this.',
    remedy: 'Ask an owner for the permission.',
  },
  PERSON_REQUIRED: {
    status: 403,
    title: 'For people only',
    meaning: 'API keys and the Discord bot make no accounts, roles, keys or resets, whatever they hold.',
    remedy: 'Sign in as a person, or use the desktop or the castellan command on the machine itself.',
  },
  STEP_UP_REQUIRED: {
    status: 403,
    title: 'Confirm that it is you',
    meaning:
      'This needs your password or a code of your second factor again, not longer than 10 minutes ago; on the desktop, a confirmation there.',
    remedy:
      'Do it again and confirm when you are asked. Scripts send the password or a code to POST /api/me/step-up with the same session first.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Sign in first',
    meaning: 'The request carries no valid credential, or does not come from this machine itself.',
    remedy: 'Sign in, or ask from the machine itself without a proxy.',
  },
  CROSS_ORIGIN: {
    status: 403,
    title: 'Request from another site',
    meaning: 'A browser sent this request with its cookie, but not from a page of this installation.',
    remedy:
      'Use the panel itself; scripts send a bearer token. Changes by cookie need Origin (or Sec-Fetch-Site) of this host and Content-Type: application/json.',
  },
  WRONG_CREDENTIALS: {
    status: 401,
    title: 'Name, password or code not right',
    meaning: 'No enabled admin has this name and password, or the code is wrong, used or out of time.',
    remedy:
      'Try again; an owner, or castellan admin reset-password on the machine itself, can set a new one.',
  },
  SETUP_LINK_INVALID: {
    status: 403,
    title: 'Set-up link not valid',
    meaning: 'The link is not the newest one, or the first owner exists already.',
    remedy: 'Use the link in setup-link.txt in the home folder; if there is none, sign in.',
  },
  NAME_TAKEN: {
    status: 409,
    title: 'Name taken',
    meaning: 'Another one has this name, or one that looks the same; upper and lower case count as the same.',
    remedy: 'Choose another name.',
  },
  LAST_OWNER: {
    status: 409,
    title: 'The last owner',
    meaning: 'The change would leave no owner who can sign in.',
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
    title: 'Two-step sign-in is not in that state',
    meaning: 'It is on already, not on, or no enrolment was begun.',
    remedy: 'Look at the state under GET /api/me, and begin anew.',
  },
} as const satisfies Record<string, ProblemEntry>;
