interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

export interface SmtpFault {
  readonly permanent: boolean;
  readonly fault: string;
}

const policy = /^5\.7\./;

/**
 * Describes the fault in codes only: a server's own words may repeat addresses, or anything else. Only a refusal of the
 * recipient's address is permanent. Any other, 5xx included, may come from a wrong password, a relay that does not know
 * us or an overzealous filter: problems that someone fixes within days.
 */
export const smtpFault = (error: unknown): SmtpFault => {
  const { code, originalCode, command, response = '', responseCode } = error as SmtpError;
  if (responseCode === undefined)
    return { permanent: false, fault: ['SMTP', originalCode ?? code ?? 'unknown'].join(' ') };
  const [, enhanced = ''] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const stage = /^(?:RCPT TO|MAIL FROM|DATA|AUTH|EHLO|STARTTLS|CONN)/.exec(command ?? '')?.[0] ?? 'SMTP';
  const isAddress = stage === 'RCPT TO' && [550, 551, 553].includes(responseCode) && !policy.test(enhanced);
  return {
    permanent: isAddress,
    fault: [responseCode, enhanced, 'at', stage].filter((part) => part !== '').join(' '),
  };
};
