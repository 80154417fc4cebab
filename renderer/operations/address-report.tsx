import { List, Stack, Text } from '@mantine/core';
import type { AddressCheck } from '#contracts/operations/public-address.ts';
import { StateLabel } from '../kit/design/state-label.tsx';
import { wordReason } from '../kit/language/reasons.words.ts';
import { useLanguage, useWords } from '../kit/language/use-words.ts';
import { addressWords } from './address.words.ts';

/** What a check of an address has found, with what helps. */
export const AddressReport = ({ check }: { readonly check: AddressCheck }) => {
  const words = useWords(addressWords);
  const language = useLanguage();
  const { address, fault, detail, isPublic, isEncrypted, warnings } = check;
  const remarks = [
    ...(fault === null ? [] : [words.faults[fault](detail && wordReason(detail, language))]),
    ...(isPublic || fault === 'unknown-name' ? [] : [words.onlyHere]),
    ...(isEncrypted ? [] : [words.unencrypted]),
    ...warnings.map((warning) => words.warnings[warning]),
  ];
  return (
    <Stack gap="xs" role="status">
      {fault === null && (
        <StateLabel tone={remarks.length === 0 ? 'ok' : 'warn'}>{words.works(address)}</StateLabel>
      )}
      {remarks.length > 0 && (
        <List size="sm" spacing="xs">
          {remarks.map((remark) => (
            <List.Item key={remark}>{remark}</List.Item>
          ))}
        </List>
      )}
      {fault === null && remarks.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.fromHere}
        </Text>
      )}
    </Stack>
  );
};
