import { expect, test } from 'vitest';
import { problems } from '#contracts/kernel/problems.ts';
import { withVendorReason } from '#contracts/portal/vendor-reason.ts';
import { ownWordsOf } from './vendor-words.ts';

// Guarantee: the vendor's words are shown, and anything that the page already says is not repeated.
test('the words of the vendor', () => {
  const { meaning, remedy } = problems.SUSPENDED;
  expect(ownWordsOf('SUSPENDED', withVendorReason(meaning, 'Your payment is open.'))).toBe(
    'Your payment is open.',
  );
  expect(ownWordsOf('SUSPENDED', 'Your payment is open.')).toBe('Your payment is open.');
  expect(ownWordsOf('SUSPENDED', `${meaning} ${remedy}`)).toBeNull();
  expect(ownWordsOf('SUSPENDED', ' ')).toBeNull();
  expect(ownWordsOf('SUSPENDED', null)).toBeNull();
  expect(ownWordsOf('OF_NEXT_YEAR', 'Something new.')).toBe('Something new.');
});
