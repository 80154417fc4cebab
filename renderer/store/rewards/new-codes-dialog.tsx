import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GameId } from '#contracts/servers/games.ts';
import {
  mostCodesAtOnce,
  type NewCodeBatch,
  newCodeBatch,
  ownCode,
  rewardsHttp,
} from '#contracts/store/rewards.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { useChange } from '../../kit/api/queries.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { NumberField } from '../../kit/forms/number-field.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { asInstant } from '../../kit/records/range.ts';
import { TimeField } from '../../kit/records/time-field.tsx';
import { rewardsWords } from './rewards.words.ts';
import { ScopeFields } from './scope-fields.tsx';

interface Fields {
  readonly name: string;
  readonly isOwn: boolean;
  readonly code: string;
  readonly points: number | '';
  readonly count: number | '';
  readonly mostUses: number | '';
  readonly mostPerMember: number | '';
  /** In the browser's time, as its field has it. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly games: readonly GameId[];
  readonly serverIds: readonly string[];
}

const begin: Fields = {
  name: '',
  isOwn: false,
  code: '',
  points: 100,
  count: 1,
  mostUses: 1,
  mostPerMember: 1,
  validFrom: '',
  validUntil: '',
  games: [],
  serverIds: [],
};

/** Null: no limit. A partly typed time is invalid and is refused. */
const instantOf = (typed: string): string | null => (typed === '' ? null : (asInstant(typed) ?? typed));

/** Null: something is missing or out of bounds. */
const bodyOf = ({ isOwn, code, count, mostUses, validFrom, validUntil, ...fields }: Fields) =>
  newCodeBatch.safeParse({
    ...fields,
    code: isOwn ? code : null,
    count: isOwn ? 1 : count,
    mostUses: mostUses === '' ? null : mostUses,
    validFrom: instantOf(validFrom),
    validUntil: instantOf(validUntil),
  } satisfies Record<keyof NewCodeBatch, unknown>).data ?? null;

const isCode = (typed: string): boolean => ownCode.safeParse(typed).success;
const isBackwards = ({ validFrom, validUntil }: Fields): boolean =>
  validFrom !== '' && validUntil !== '' && validUntil <= validFrom;

export const NewCodesDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const words = useWords(rewardsWords).codes;
  const [fields, setFields] = useState(begin);
  const create = useChange(rewardsHttp.createBatch, [rewardsHttp.batches]);
  const errorOf = useFieldErrors(create.error);
  const edit = (edited: Partial<Fields>) => {
    if (create.error) create.reset();
    setFields({ ...fields, ...edited });
  };
  const body = bodyOf(fields);
  return (
    <FormDialog
      title={words.newTitle}
      act={words.create(words.counted(fields.isOwn ? 1 : fields.count || 0))}
      isActing={create.isPending}
      isReady={body !== null}
      error={create.error}
      onSubmit={() => {
        if (!body) return;
        create.mutate(
          { body },
          {
            onSuccess() {
              notifyDone(words.made);
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
      staysWhileActing
    >
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={fields.name}
        onChange={({ currentTarget }) => edit({ name: currentTarget.value })}
        maxLength={80}
        required
        autoComplete="off"
        data-autofocus
      />
      <NumberField
        label={words.points}
        value={fields.points}
        max={mostPoints}
        isRequired
        onChange={(points) => edit({ points })}
      />
      <Which fields={fields} codeError={errorOf('code')} onEdit={edit} />
      <NumberField
        label={words.mostUses}
        description={words.mostUsesHelp}
        value={fields.mostUses}
        max={1_000_000}
        onChange={(mostUses) => edit({ mostUses })}
      />
      <NumberField
        label={words.mostPerMember}
        value={fields.mostPerMember}
        max={1000}
        isRequired
        onChange={(mostPerMember) => edit({ mostPerMember })}
      />
      <TimeField
        label={words.validFrom}
        help={words.always}
        value={fields.validFrom}
        onChange={(typed) => edit({ validFrom: typed })}
      />
      <TimeField
        label={words.validUntil}
        help={words.always}
        error={isBackwards(fields) && words.backwards}
        value={fields.validUntil}
        onChange={(typed) => edit({ validUntil: typed })}
      />
      <ScopeFields scope={fields} help={words.scopeHelp} onChange={edit} />
    </FormDialog>
  );
};

/** Many random codes, or one chosen by the owner. */
const Which = (props: {
  readonly fields: Fields;
  /** What the API refuses about the code. */
  readonly codeError: string | null;
  readonly onEdit: (edited: Partial<Fields>) => void;
}) => {
  const { fields, codeError, onEdit } = props;
  const words = useWords(rewardsWords).codes;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} id="codes-how">
        {words.how}
      </Text>
      <SegmentedControl
        aria-labelledby="codes-how"
        data={[
          { value: 'random', label: words.random },
          { value: 'own', label: words.own },
        ]}
        value={fields.isOwn ? 'own' : 'random'}
        onChange={(chosen) => onEdit({ isOwn: chosen === 'own' })}
      />
      {fields.isOwn ? (
        <TextInput
          label={words.code}
          description={words.codeHelp}
          value={fields.code}
          error={fields.code !== '' && !isCode(fields.code) ? words.codeFault : codeError}
          onChange={({ currentTarget }) => onEdit({ code: currentTarget.value })}
          maxLength={32}
          required
          autoComplete="off"
        />
      ) : (
        <NumberField
          label={words.count}
          value={fields.count}
          max={mostCodesAtOnce}
          isRequired
          onChange={(count) => onEdit({ count })}
        />
      )}
    </Stack>
  );
};
