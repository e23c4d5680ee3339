// Takes screenshots of every kind of board, from a small phone to a wide screen, in light and dark.

import { join } from "node:path";
import { mouse } from "../support/visitor.js";
import { translatedLanguages } from "../support/messages.js";
import { KNOWN } from "./analysis.js";
import { visitScreens } from "./languages.js";
import { KITE, openBoardEditor } from "./setting_up.js";

/** A name, a game, and the actions before the screenshot. The scene `tables` uses the server with tables. @type {[string, string, ((visitor: any) => Promise<void>)?][]} */
const SCENES = [
  ["start", ""],
  ["review", "variant=tic-tac-toe&moves=a1+b2+c3+a3+b1+c1", (visitor) => visitor.waitForText(".review", /By exact values/)],
  ["turn", "variant=tic-tac-toe&moves=a1+b2+c3+a3+b1+c1", async (visitor) => { await visitor.waitForText(".review", /By exact values/); await visitor.page.getByRole("button", { name: "See where it turned" }).first().click(); }],
  ["kaooa", "variant=kaooa&moves=a1"],
  ["adugo", "variant=adugo"],
  ["el-perro", "variant=el-perro"],
  ["asalto", "variant=asalto"],
  ["sher-bakar", "variant=sher-bakar"],
  ["uxrijn-ever", "variant=uxrijn-ever"],
  ["files", "variant=hare-and-hounds", (visitor) => visitor.page.evaluate(() => document.getElementById("files")?.click())],
  ["aadu-puli", "variant=aadu-puli&moves=d3+a1b2+c2+b2d2+d4+b3c3+c4+b4a1", async (visitor) => { await visitor.page.locator("#engine input[role=switch]").check(); await visitor.waitFor("lines", (page) => page.analysis.lines.length >= 3); }],
  ["bagh-chal", "variant=bagh-chal&fen=T3T/1G1G1/2G2/1T2G/T4+t+15", async (visitor) => { await visitor.setPlayer("p2", "person"); const { x, y } = await visitor.spotCenter("d2"); await visitor.page.mouse.click(x, y); }],
  ["tic-tac-toe", "variant=tic-tac-toe&moves=b2+a1+c3"],
  ["five-in-a-row", "variant=tic-tac-toe&fen=15+15+5+15/15/15/15/15/6O8/6XXO6/6OX7/8X6/15/15/15/15/15/15+o"],
  ["2048", "variant=2048&fen=2,4,8,16/32,64,128,256/512,1024,2048,4/0,2,0,2+p+20000"],
  ["15-puzzle", "variant=15-puzzle&fen=14,13,15,7/11,12,9,5/6,0,2,1/4,8,10,3", async (visitor) => { await visitor.openTab("solve"); await visitor.page.locator("#sheet-solve").getByRole("button", { name: "Solve", exact: true }).click(); await visitor.waitFor("solved", (page) => page.solution.moves.length > 0); }],
  ["picture", "variant=8-puzzle&fen=1,2,5/7,6,4/0,3,8", async (visitor) => { await visitor.page.getByLabel("Tiles show").selectOption("tiger"); }],
  ["missionaries", "variant=missionaries&moves=2c+1c"],
  ["tree", "variant=tree&moves=1", async (visitor) => { await visitor.page.locator("body").press("Home"); await visitor.openTab("learn"); await visitor.page.getByRole("button", { name: "Draw the search" }).click(); await visitor.waitFor("drawn", (page) => page.trace.result !== null); await visitor.page.locator('[data-learn="last"]').click(); }],
  ["board-tree", "variant=tree&moves=1"],
  ["compare", "", async (visitor) => { await visitor.openTab("learn"); await visitor.page.locator(".comparison").getByRole("button", { name: "Compare" }).click(); await visitor.waitFor("done", (page) => page.analysis.task === null && page.comparison.rows.length === 9); await visitor.page.locator(".comparison").scrollIntoViewIfNeeded(); }],
  ["games", "", (visitor) => visitor.page.locator("#games").click()],
  ["draw-board", "", async (visitor) => { await openBoardEditor(visitor); await visitor.page.getByRole("textbox", { name: "Board file" }).fill(KITE); }],
  ["rules", "variant=bagh-chal", (visitor) => visitor.page.locator("#rules").click()],
  ["tables", KNOWN, async (visitor) => { await visitor.setPlayer("p2", "person"); await visitor.openTab("analyze"); await visitor.play((await visitor.waitForTurn()).moves[3], mouse); await visitor.waitForTurn(); }],
];

/** The time for animations to finish. */
const SETTLE_MS = 400;

/** The sizes of the windows. Below a board's column of its own, the whole page is shown. */
const SIZES = [[320, 568], [390, 844], [768, 1024], [1024, 768], [1440, 900]];
const MAX_ONE_COLUMN_PX = 1000;

/** Writes a PNG of every scene that is wanted, at all sizes, in light and dark, and of the main screens in every language on a phone. @param {any} setup @param {string} folder @param {(scene: { name: string }) => boolean} isWanted */
export async function takeScreenshots(setup, folder, isWanted) {
  for (const tag of translatedLanguages().filter((tag) => isWanted({ name: `languages-${tag}` }))) {
    await visitScreens(setup, tag, [390, 844], async (name, page) => {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      await page.screenshot({ path: join(folder, `languages-${tag}-${name}.png`) });
    });
  }
  for (const [width, height] of SIZES) {
    for (const dark of [false, true]) {
      for (const [name, game, prepare] of SCENES.filter(([name]) => isWanted({ name }))) {
        const visitor = await setup.openPage({ game, server: name === "tables" ? setup.tableServer : setup.server, width, height, dark, touch: width < 500 });
        await visitor.page.mouse.move(2, 2);
        await prepare?.(visitor);
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
        const hasDialog = await visitor.page.locator("dialog[open]").count();
        await visitor.page.screenshot({ fullPage: width < MAX_ONE_COLUMN_PX && !hasDialog, path: join(folder, `${name}-${width}-${dark ? "dark" : "light"}.png`) });
        await visitor.page.context().close();
      }
    }
  }
}
