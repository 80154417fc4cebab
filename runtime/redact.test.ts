import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './redact.ts';
import { Secret } from './secret.ts';

// Guarantee: a known secret never appears in a log line, however it was spelled there.
test('known secrets are cut out in every spelling', () => {
  const line = fc.tuple(fc.string(), fc.string({ minLength: 8, unit: 'binary' }), fc.string());
  fc.assert(
    fc.property(line, ([before, secret, after]) => {
      const redact = createRedactor([new Secret(secret)]);
      for (const text of [
        before + secret + after,
        JSON.stringify({ text: before + secret }),
        encodeURIComponent(secret),
      ])
        expect(redact(text)).toContain('[redacted]');
      expect(redact(`${before}${secret}${after}`)).not.toContain(secret);
    }),
  );
});

// Guarantee: no line, no matter who wrote it, blocks the process; time that grows with the square takes minutes here.
test.each(['a://b:', 'a.', 'eyJ-', 'eyJabcdefgh.'])('a long line of %s', { timeout: 10_000 }, (part) => {
  const line = part.repeat(1_000_000 / part.length);
  expect(createRedactor()(line).length).toBeGreaterThan(0);
});

// Guarantee: text in the shape of a secret is cut out even when it was not registered as one.
test('license keys, tokens and passwords in URLs are cut out by their shape', () => {
  const redact = createRedactor();
  const text =
    'CSTL-0000-ABCD-EFGH-1234 eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.c2lnbmF0dXJl postgresql://castellan:s3cr3t%2F@127.0.0.1/x';
  const clean = redact(text);
  for (const part of ['ABCD', 'eyJpc3Mi', 'c2lnbmF0dXJl', 's3cr3t']) expect(clean).not.toContain(part);
  expect(clean).toContain('postgresql://castellan:[redacted]@127.0.0.1/x');
  const token = 'a-b_'.repeat(11).slice(0, 43);
  for (const prefix of ['cst_k3y1d', 'cse', 'cwt', 'csh', 'cus', 'ven', 'dev', 'pend', 'form'])
    expect(redact(`Bearer ${prefix}_${token};`)).toBe(`Bearer ${prefix}_[redacted];`);
  expect(redact('an ordinary line at 12:00:01')).toBe('an ordinary line at 12:00:01');
});
