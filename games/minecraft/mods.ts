import type { ModForm } from '#contracts/servers/agent-mods.ts';
import type { Archive } from '#runtime/archives/archive.ts';
import { type InspectedArchive, unknownArchive, withoutPlan } from '../inspected-archive.ts';
import { plainLogLine } from '../log-line.ts';
import type { GameMods, LoaderFacts, ModFolder, ModLine } from '../mods-layout.ts';
import { findLoader } from './loader.ts';
import { isJar, readJar } from './mod-metadata/jar.ts';
import { inspectPack } from './mod-metadata/pack.ts';

/** A server that loads both mods and plugins (Mohist, Arclight and the like) has the loader of its mods: its plugins are not managed. */
const folders = (facts: LoaderFacts): readonly ModFolder[] => {
  if (facts.loader === null) return [];
  const path = facts.loader === 'paper' || facts.loader === 'velocity' ? 'plugins' : 'mods';
  return [{ path, holds: { files: '.jar' } }];
};

/** A pack contains mods: there is none for plugin servers. */
const forms = ({ loader }: LoaderFacts): readonly ModForm[] =>
  loader === null ? [] : loader === 'paper' || loader === 'velocity' ? ['file'] : ['file', 'pack'];

/**
 * `[12:00:01] [main/ERROR]: `, with a logger's name after it (`(FabricLoader)`, `[ne.mi.fm.lo.ModSorter/LOADING]`) or in between,
 * and `[12:00:01 ERROR]: ` of Paper. Chat of players is INFO.
 */
const stamp =
  /^\[[^\]]{1,60}(?:\] \[[^\]]{1,80}\/| )(?<level>[A-Z]+)\](?: \[[^\]]{1,160}\])?:? (?:\([^)]{1,80}\) )?(?<said>.*)$/;

/**
 * - Fabric and Quilt: `Incompatible mods found!`, `Incompatible mod set!` before 0.12, with text in the server's language before
 * it; `Could not execute entrypoint stage 'main' due to errors, provided by 'x'!`
 * - Forge and NeoForge: `Missing or unsupported mandatory dependencies:` (MinecraftForge, pull request 9104), `Missing mandatory
 * dependencies: forge` before, `Failed to start the minecraft server`
 * - the game: `Encountered an unexpected exception`, `This crash report has been saved to: …`
 */
const fatalErrors =
  /^(?:.{0,60}\()?Incompatible mods? (?:found|set)!|^(?:.{0,200}: )?Could not execute entrypoint stage |^Missing (?:or unsupported )?mandatory dependencies:|^Failed to start the minecraft server|^Encountered an unexpected exception|^This crash report has been saved to: |^Preparing crash report with UUID |^We were unable to save this crash report to disk|^Failed to initialize server|^Minecraft has crashed!|^Loading errors encountered:/;
/** The port of another program (`**** FAILED TO BIND TO PORT!`), and a licence that was not accepted; both are warnings or lower. */
const fatalWords = /^\*{4} FAILED TO BIND TO PORT!|^You need to agree to the EULA in order to run the server/;
/** Lines without a stamp: from the JVM's launcher, and those of exceptions. The `-- Head --` parts of a crash report are not needed. */
const fatalPlain =
  /^Error: (?:Unable to access jarfile|Invalid or corrupt jarfile|A JNI error has occurred|Could not create the Java Virtual Machine|LinkageError occurred while loading main class|Could not find or load main class)|^(?:Exception in thread "main" )?(?:net\.fabricmc\.loader\.impl\.FormattedException|org\.quiltmc\.loader\.(?:impl\.FormattedException|api\.LoaderValueException)|net\.neoforged\.fml\.ModLoadingException|net\.minecraftforge\.fml\.(?:ModLoadingException|LoadingFailedException)): |^---- Minecraft Crash Report ----|^# A fatal error has been detected by the Java Runtime Environment/;

const isFatal = (line: string): boolean => {
  const plain = plainLogLine(line) ?? '';
  const { level, said } = stamp.exec(plain)?.groups ?? {};
  if (said === undefined) return fatalPlain.test(plain);
  if (fatalWords.test(said)) return true;
  return (level === 'ERROR' || level === 'FATAL') && (fatalErrors.test(said) || fatalPlain.test(said));
};

/**
 * Plugin failures that do not keep the server from coming up: `Could not load 'plugins/x.jar' in folder 'plugins'` (Paper and
 * Spigot), `Error occurred while enabling x v1.0 (Is it up to date?)`.
 */
const failure =
  /^(?:\[[^\]]{1,80}\] )?(?:Could not load (?:plugin )?'(?<file>[^']{1,200})'|Error occurred while enabling (?<plugin>\S{1,100}) )/;

const readModLine = (line: string): ModLine | null => {
  const { level, said } = stamp.exec(plainLogLine(line) ?? '')?.groups ?? {};
  if (said === undefined || (level !== 'ERROR' && level !== 'FATAL')) return null;
  const { file, plugin } = failure.exec(said)?.groups ?? {};
  const id = plugin ?? file?.replace(/^.*[\\/]/, '') ?? null;
  return id === null ? null : { is: 'failed', id, why: said };
};

const inspect = async (archive: Archive): Promise<InspectedArchive> => {
  if (!isJar(archive)) return inspectPack(archive);
  const { mods, unreadable } = await readJar(archive);
  if (mods.length > 0) return withoutPlan({ is: 'mods', mods: [...mods] });
  const why =
    unreadable.length > 0
      ? `The jar tells of itself in ${unreadable.join(' and ')}, which cannot be read.`
      : 'The jar has no file that tells which mod or plugin it is.';
  return unknownArchive(why);
};

export const minecraftMods: GameMods = {
  forms,
  facts: findLoader,
  folders,
  ids: null,
  sourceNumbers: { curseforge: 432, steam: null },
  readFolderMark: () => null,
  readModLine,
  inspect,
  isFatal,
};
