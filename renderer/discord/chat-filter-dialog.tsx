import { Radio, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import {
  type ChatFilter,
  discordChatHttp,
  type FilterTreatment,
  filterTreatments,
  isFilterWord,
  mostFilterWords,
} from '#contracts/discord/discord-chat.ts';
import { useChange } from '../kit/api/queries.ts';
import { notifyDone } from '../kit/design/notify.ts';
import { useVersionedForm } from '../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../kit/forms/versioned-dialog.tsx';
import { useWords } from '../kit/language/use-words.ts';
import { chatRelaysWords } from './chat-relays.words.ts';

interface ChatFilterDialogProps {
  /** The current version. */
  readonly filter: ChatFilter;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The words that no relay lets pass. */
export const ChatFilterDialog = ({ filter, readNewest, onClose }: ChatFilterDialogProps) => {
  const shared = useWords(chatRelaysWords);
  const words = shared.filter;
  const [text, setText] = useState(filter.words.join('\n'));
  const [treatment, setTreatment] = useState<FilterTreatment>(filter.treatment);
  const [version] = useState(filter.version);
  const change = useChange(discordChatHttp.changeFilter, [discordChatHttp.list]);
  const lines = linesOf(text);
  const invalid = lines.find((line) => !isFilterWord(line));
  const form = useVersionedForm({
    version,
    newest: filter,
    readNewest,
    async send(over) {
      const saved = await change.mutateAsync({ body: { version: over, words: lines, treatment } });
      notifyDone(shared.saved);
      onClose();
      return saved;
    },
    show(theirs) {
      setText(theirs.words.join('\n'));
      setTreatment(theirs.treatment);
    },
  });
  const fault = () => {
    if (invalid !== undefined) return words.invalid(invalid);
    return lines.length > mostFilterWords ? words.tooMany(mostFilterWords) : null;
  };
  return (
    <VersionedDialog
      form={form}
      title={words.title}
      act={shared.save}
      isReady={fault() === null}
      conflictTitle={words.theirs}
      theirs={(theirs) => (
        <Text style={{ whiteSpace: 'pre-line' }}>{theirs.words.join('\n') || words.none}</Text>
      )}
      onClose={onClose}
    >
      <Textarea
        label={words.words}
        description={words.hint}
        error={fault()}
        value={text}
        onChange={({ currentTarget }) => {
          form.clear();
          setText(currentTarget.value);
        }}
        autosize
        minRows={4}
        maxRows={12}
        data-autofocus
      />
      <Radio.Group
        label={words.treatment}
        value={treatment}
        onChange={(chosen) => {
          form.clear();
          setTreatment(filterTreatments.find((one) => one === chosen) ?? 'mask');
        }}
      >
        <Stack gap="xs" mt="xs">
          {filterTreatments.map((one) => (
            <Radio key={one} value={one} label={words.treatments[one]} />
          ))}
        </Stack>
      </Radio.Group>
    </VersionedDialog>
  );
};
