/**
 * The Windows lab runs one program at a time, so these tests run in turn in one worker instead of waiting for each other in
 * several. `-t` chooses one.
 */
import './installer.ts';
import './desktop.ts';
import './services.ts';
import './update.ts';
import './orphans.ts';
import './agent-service.ts';
import './agent-mods.ts';
import './move-home.ts';
import './mod-files.ts';
