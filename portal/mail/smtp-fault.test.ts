import { expect, test } from 'vitest';
import { smtpFault } from './smtp-fault.ts';

const at = (command: string, responseCode: number, words: string) =>
  smtpFault({ code: 'EENVELOPE', command, responseCode, response: `${responseCode} ${words}` });

// Guarantee: only a refused address is final; what may be a set-up problem is retried. No words of a server are kept.
test.each([
  ['RCPT TO', 550, '5.1.1 no such user buyer@example.com', true, '550 5.1.1 at RCPT TO'],
  ['RCPT TO', 553, 'mailbox name not allowed', true, '553 at RCPT TO'],
  ['RCPT TO', 550, '5.7.1 relaying denied', false, '550 5.7.1 at RCPT TO'],
  ['RCPT TO', 554, '5.7.1 who are you', false, '554 5.7.1 at RCPT TO'],
  ['RCPT TO', 450, '4.2.1 greylisted', false, '450 4.2.1 at RCPT TO'],
  ['MAIL FROM', 550, '5.1.0 sender unknown', false, '550 5.1.0 at MAIL FROM'],
  ['AUTH PLAIN', 535, '5.7.8 wrong password', false, '535 5.7.8 at AUTH'],
  ['DATA', 552, '5.2.2 mailbox full', false, '552 5.2.2 at DATA'],
])('%s %i %s', (command, code, words, permanent, fault) => {
  expect(at(command, code, words)).toEqual({ permanent, fault });
});

test('a lost connection names its code alone', () => {
  const error = Object.assign(new Error('connect to mail.example as user'), {
    code: 'ESOCKET',
    originalCode: 'ECONNREFUSED',
  });
  expect(smtpFault(error)).toEqual({ permanent: false, fault: 'SMTP ECONNREFUSED' });
});
