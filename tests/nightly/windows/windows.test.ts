/**
 * The Windows lab runs one program at a time, so these tests run in turn in one worker instead of waiting for each other in
 * several. `-t` chooses one.
 */
import '../../windows/installer.ts';
import '../../windows/desktop.ts';
import '../../windows/services.ts';
import '../../windows/update.ts';
import '../../windows/orphans.ts';
import '../../windows/agent-service.ts';
import '../../windows/batch-files.ts';
import '../../windows/agent-mods.ts';
import '../../windows/move-home.ts';
import '../../windows/letters.ts';
import '../../windows/hostile-folder.ts';
import '../../windows/mod-files.ts';
