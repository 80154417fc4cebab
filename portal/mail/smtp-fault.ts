interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

interface SmtpFault {
  readonly permanent: boolean;
  readonly fault: string;
}

/**
 * RFC 3463: no such mailbox, domain or form of address (X.1.1 to X.1.3), moved (X.1.6), a domain without mail (X.1.10, RFC 7505), a
 * mailbox that is disabled (X.2.1). A full one (X.2.2) is emptied within days.
 */
const ofMailbox: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
/** Codes that servers send for everything, and no code at all: the words decide. */
const unspecific: ReadonlySet<string> = new Set([
  '',
  '5.0.0',
  '5.0.1',
  '5.1.0',
  '5.3.0',
  '5.5.0',
  '5.5.1',
  '5.5.4',
]);
const namesMailbox =
  /\b(?:(?:unknown|invalid|no such|bad|non-?existent) (?:user|mailbox|recipient|address|account)|(?:user|mailbox|recipient|account|address)(?: name| is| was| has been)? (?:unknown|unavailable|not (?:found|allowed|exists?|local|known|available)|invalid|disabled|inactive|suspended|deactivated)|(?:does not|doesn.t|did not) exist|no longer (?:exists?|accepts?|on server|in use)|(?:does not|doesn.t) have an? .*account|no mailbox|not a valid mailbox|unrouteable address|unknown or illegal alias)\b|#5\.1\.\d+ address rejected\b/i;
/** Refusals of who sends, or of how much, and what passes: also behind the code of an unknown mailbox. */
const namesAnother =
  /\b(?:sender|spf|dkim|dmarc|spam|block(?:ed|list\w*)?|black-?list\w*|rbl|reputation|polic(?:y|ies)|access denied|relaying|relay (?:access|denied|not)|(?:not|to) relay|limit|quota|full|rate|too (?:many|quickly)|gr[ae]y-?list\w*|authenticat\w*|ptr|dns|helo|client host|ip address|tim(?:ed? ?out|eout)|connect to|smtputf8)\b/i;

/**
 * Describes the fault in codes only: a server's own words may repeat addresses, or anything else. Only a refusal that names the
 * recipient's mailbox is permanent. Any other, 5xx included, may come from a wrong password, a relay that does not know us, our
 * own limit at the provider or an overzealous filter: problems that someone fixes within days.
 */
export const smtpFault = (error: unknown): SmtpFault => {
  const { code, originalCode, command, response = '', responseCode } = error as SmtpError;
  // What begins with another number is no reply (RFC 5321, 4.2): nothing is known of the mailbox.
  if (responseCode === undefined || responseCode < 200 || responseCode > 599)
    return { permanent: false, fault: ['SMTP', originalCode ?? code ?? 'unknown'].join(' ') };
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const stage = /^(?:RCPT TO|MAIL FROM|DATA|AUTH|EHLO|STARTTLS|CONN)/.exec(command ?? '')?.[0] ?? 'SMTP';
  const words = response
    .replace(/^\d{3}[ -](?:\d\.\d{1,3}\.\d{1,3})?/gm, ' ')
    .replace(/<[^>]*>|\S+@\S+/g, ' ')
    .replace(/\s+/g, ' ');
  // Without words, RFC 5321 says what the code means.
  const isBare = stage === 'RCPT TO' && [550, 551, 553].includes(responseCode) && !/\p{L}/u.test(words);
  const isAddress =
    ['RCPT TO', 'DATA'].includes(stage) &&
    responseCode >= 500 &&
    !namesAnother.test(words) &&
    (ofMailbox.has(enhanced) || (unspecific.has(enhanced) && (isBare || namesMailbox.test(words))));
  return {
    permanent: isAddress,
    fault: [responseCode, enhanced, 'at', stage].filter((part) => part !== '').join(' '),
  };
};
