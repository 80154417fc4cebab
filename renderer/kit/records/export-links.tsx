import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { addressOf } from '#contracts/kernel/call-input.ts';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { useWords } from '../language/use-words.ts';
import { recordsWords } from './records.words.ts';

/** Downloads made by the API, with the same filters as the page. */
export const ExportLinks = (props: {
  readonly csv: Endpoint;
  readonly jsonLines: Endpoint;
  /** Exports whatever matches it. */
  readonly query: Readonly<Record<string, unknown>>;
}) => {
  const { csv, jsonLines, query } = props;
  const words = useWords(recordsWords);
  const link = (endpoint: Endpoint, label: string, says: string) => (
    <Button
      component="a"
      href={addressOf(endpoint.path, undefined, query)}
      download={endpoint.download}
      variant="default"
      px="sm"
      leftSection={<IconDownload size={16} aria-hidden />}
      aria-label={says}
    >
      {label}
    </Button>
  );
  return (
    <>
      {link(csv, words.exportCsv, words.exportCsvLabel)}
      {link(jsonLines, words.exportJsonLines, words.exportJsonLinesLabel)}
    </>
  );
};
