import { ActionIcon, Alert, Button, Fieldset, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconTrash } from '@tabler/icons-react';
import { discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import { gameDetails, type WhitelistCommands } from '#contracts/servers/game-details.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { Product } from '#contracts/store/store.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Card } from '../../kit/design/card.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { OptionLines } from '../../kit/forms/option-lines.tsx';
import { reasonsWords } from '../../kit/language/reasons.words.ts';
import { Said } from '../../kit/language/said.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useProducts } from '../use-products.ts';
import { CommandFieldsView } from './command-fields.tsx';
import { ItemFieldsView } from './item-fields.tsx';
import { newLasts } from './lasting-draft.ts';
import { lastsWords } from './lasts.words.ts';
import { LastsFieldsView } from './lasts-fields.tsx';
import {
  type CommandFields,
  type FieldsProps,
  type LineFields,
  newCommand,
  newItem,
  newPart,
  newRole,
  type PartFields,
  type ProductFields,
  type RoleFields,
} from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

/** Roles that cannot be given are shown with the reason, because otherwise people would look for them in vain. */
const RoleFieldsView = ({
  line,
  onChange,
}: {
  readonly line: RoleFields;
  readonly onChange: (line: RoleFields) => void;
}) => {
  const words = useWords(storeWords);
  const reasons = useWords(reasonsWords);
  const read = useRead(discordRolesHttp.roles, {});
  const roles = (read.data?.roles ?? []).filter(({ obstacle }) => obstacle !== 'role-everyone');
  const isListed = roles.some(({ id }) => id === line.roleId);
  const chosen =
    line.roleId !== '' && !isListed ? [{ id: line.roleId, name: line.roleName, obstacle: null }] : [];
  const obstacles = new Map(roles.map(({ id, obstacle }) => [id, obstacle]));
  return (
    <>
      <Select
        label={words.role}
        description={words.roleHelp}
        data={[...chosen, ...roles].map(({ id, name, obstacle }) => ({
          value: id,
          label: `@${name}`,
          disabled: obstacle !== null,
        }))}
        renderOption={({ option }) => {
          const obstacle = obstacles.get(option.value);
          return <OptionLines name={option.label} note={obstacle && reasons[obstacle]} />;
        }}
        value={line.roleId === '' ? null : line.roleId}
        onChange={(roleId) => {
          const role = roles.find(({ id }) => id === roleId);
          if (role) onChange({ ...line, roleId: role.id, roleName: role.name });
        }}
        searchable
        required
        allowDeselect={false}
        openOnFocus={false}
      />
      {read.data?.roles === null && (
        <Text size="sm" role="status">
          {words.roleBotAway}
        </Text>
      )}
    </>
  );
};

const newWhitelistEntry = ({
  command,
  counterCommand,
  success,
  taken,
}: WhitelistCommands): CommandFields => ({
  ...newCommand(),
  command,
  counterCommand,
  success,
  needsPlayer: false,
  lasts: { ...newLasts('whitelist'), taken },
});

/** Null: the line is not a whitelist command. */
const whitelistOf = (game: GameId, line: { readonly command: string }): WhitelistCommands | null => {
  const { whitelist } = gameDetails[game];
  const [word = '', act = ''] = line.command.trim().split(/\s+/);
  const [own = '', add = ''] = whitelist?.command.split(' ') ?? [];
  const isEntry = word.toLowerCase() === own.toLowerCase() && (add.startsWith('{') || act === add);
  return isEntry ? whitelist : null;
};

/** A product in a bundle: one for the same game that is not a bundle itself. */
const PartFieldsView = (props: {
  readonly line: PartFields;
  readonly game: GameId;
  /** The bundle itself; null: it is new. */
  readonly ownId: string | null;
  readonly onChange: (line: PartFields) => void;
}) => {
  const { line, game, ownId, onChange } = props;
  const words = useWords(storeWords);
  const { rows } = useProducts(false);
  const offered = rows.filter(
    (product) =>
      product.game === game && product.id !== ownId && product.lines.every(({ kind }) => kind !== 'product'),
  );
  const isOffered = offered.some(({ id }) => id === line.productId);
  const chosen = line.productId !== '' && !isOffered ? [{ id: line.productId, name: line.productId }] : [];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Select
        label={words.part}
        description={words.partHelp}
        data={[...chosen, ...offered].map(({ id, name }) => ({ value: id, label: name }))}
        value={line.productId === '' ? null : line.productId}
        onChange={(productId) => productId !== null && onChange({ ...line, productId })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        required
        allowDeselect={false}
        openOnFocus={false}
      />
      <NumberInput
        label={words.quantity}
        value={line.quantity}
        onChange={(typed) => onChange({ ...line, quantity: typedNumber(typed) })}
        min={1}
        max={1000}
        allowDecimal={false}
        allowNegative={false}
        required
      />
    </SimpleGrid>
  );
};

const mostLines = 20;

export const LinesCard = (
  props: FieldsProps & {
    /** Notes on the saved lines. */
    readonly notes: Product['notes'];
    readonly saved: Product | null;
  },
) => {
  const { fields, onChange, notes, saved } = props;
  const words = useWords(storeWords);
  const lasting = useWords(lastsWords);
  const { lines, game } = fields;
  const { whitelist } = gameDetails[game];
  const put = (changed: LineFields) =>
    onChange({ lines: lines.map((line) => (line.key === changed.key ? changed : line)) });
  const add = (line: LineFields) => onChange({ lines: [...lines, line] });
  /** A note concerns the saved line; it is hidden once the line holds another item or command. */
  const notesOf = (line: LineFields, position: number) => {
    const before = saved?.lines[position];
    const isSame =
      (line.kind === 'item' && before?.kind === 'item' && before.item === line.item) ||
      (line.kind === 'command' && before?.kind === 'command' && before.command === line.command) ||
      (line.kind === 'role' && before?.kind === 'role' && before.roleId === line.roleId) ||
      (line.kind === 'product' && before?.kind === 'product' && before.productId === line.productId);
    return isSame ? notes.filter((note) => note.position === position) : [];
  };
  return (
    <Card title={words.gives}>
      <Text size="sm" c="dimmed">
        {words.givesHelp}
      </Text>
      <Stack gap="md">
        {lines.map((line, position) => (
          <Fieldset key={line.key} legend={words.line(position + 1)} bg="transparent">
            <Stack gap="sm">
              {line.kind === 'item' && <ItemFieldsView line={line} game={game} onChange={put} />}
              {line.kind === 'command' && <CommandFieldsView line={line} onChange={put} />}
              {line.kind === 'role' && <RoleFieldsView line={line} onChange={put} />}
              {line.kind === 'product' && (
                <PartFieldsView line={line} game={game} ownId={saved?.id ?? null} onChange={put} />
              )}
              {line.kind !== 'product' && <LastsFieldsView line={line} onChange={put} />}
              {line.kind === 'command' && <WhitelistWarning game={game} line={line} />}
              {notesOf(line, position).map(({ kind, detail, reason }) => (
                <Alert
                  key={kind}
                  color="var(--tone-warn)"
                  variant="outline"
                  icon={<IconAlertTriangle aria-hidden />}
                >
                  {words.notes[kind]}
                  {(kind === 'invalid' || line.kind === 'product') && (
                    <>
                      {' '}
                      <Said reason={reason} detail={detail} />
                    </>
                  )}
                </Alert>
              ))}
              {lines.length > 1 && (
                <Group justify="flex-end">
                  <ActionIcon
                    variant="default"
                    aria-label={words.removeLine(position + 1)}
                    onClick={() => onChange({ lines: lines.filter(({ key }) => key !== line.key) })}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </Stack>
          </Fieldset>
        ))}
        {lines.length < mostLines && (
          <Group gap="xs">
            {games[game].hasItems && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => add(newItem())}
              >
                {words.addItem}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => add(newCommand())}
            >
              {words.addCommand}
            </Button>
            {whitelist && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} aria-hidden />}
                onClick={() => add(newWhitelistEntry(whitelist))}
              >
                {lasting.whitelist.add}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => add(newRole())}
            >
              {words.addRole}
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => add(newPart())}
            >
              {words.addPart}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
};

const WhitelistWarning = ({ game, line }: Pick<ProductFields, 'game'> & { readonly line: CommandFields }) => {
  const words = useWords(lastsWords).whitelist;
  const { isStrict = false, option = null } = whitelistOf(game, line) ?? {};
  if (!isStrict && option === null) return null;
  return (
    <Alert color="var(--tone-warn)" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
      {isStrict && words.strict} {option !== null && words.needs(option)}
    </Alert>
  );
};
