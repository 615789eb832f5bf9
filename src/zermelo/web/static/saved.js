// A saved page: the same elements, without a workbench behind them.

const saved = JSON.parse(document.getElementById("saved")?.textContent ?? "{}");
const page = /** @type {any} */ (document.createElement(`${saved.page}-page`));
(saved.page === "play" ? import("/static/play.js") : import("/static/tree-lab.js")).then(() => {
  customElements.upgrade(page);
  document.getElementById("main")?.append(page);
  if (saved.page === "tree") {
    page.source = saved.source;
    page.run(true);
  } else page.route(new URLSearchParams());
});

export {};
